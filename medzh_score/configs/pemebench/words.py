"""PeMeBench's departments, tasks and kinds of question, by the names that its paper prints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Department:
    """A class of Table 1: one of ten departments, techniques or scales.

    ``field`` stands for it in the prompt of section 2.3.1, whose example shortens 儿科肾脏系统疾病 to 肾脏系统疾病; the
    aliases are of section 2.2.1, Figure 6, or the same authors' PediaBench.
    """

    name: str
    field: str
    aliases: tuple[str, ...] = ()


DEPARTMENTS = (
    Department("新生儿疾病", "新生儿疾病"),
    Department("儿科肾脏系统疾病", "肾脏系统疾病"),
    Department("儿科急诊与危重症疾病", "急诊与危重症疾病", ("儿科急诊与危重症",)),
    Department(
        "儿童保健与发育行为疾病", "儿童保健与发育行为疾病", ("儿童保健与发育行为", "儿科基础保健与发育行为疾病")
    ),
    Department("儿科免疫系统疾病", "免疫系统疾病", ("儿科免疫缺陷性疾病",)),
    Department("儿科感染性疾病", "感染性疾病"),
    Department("儿科呼吸系统疾病", "呼吸系统疾病"),
    Department("儿科心血管系统疾病", "心血管系统疾病"),
    Department("儿科内分泌与代谢性疾病", "内分泌与代谢性疾病", ("儿科内分泌与遗传代谢性系统疾病",)),
    Department("儿科血液系统疾病", "血液系统疾病"),
    Department("儿科诊疗技术", "诊疗技术", ("诊疗技术",)),
    Department("儿科临床常用量表", "临床常用量表", ("临床常用量表",)),
)
TASKS = ("疾病知识", "治疗方案", "用药剂量", "疾病预防", "药理作用")
TASK_ALIASES = {"基础知识": "疾病知识"}  # as Table 5 prints the first
KINDS = {"reason": "询问原因类", "solution": "询问解决方案类", "definition": "考察定义类"}
UNASSIGNED = "unassigned"  # the task and kind of questions of a source that has none
PEDIABENCH_ONLY = {"儿科神经系统疾病": "神经系统疾病", "儿科消化系统疾病": "消化系统疾病"}  # which Table 1 lacks
ALL_DEPARTMENTS = (*(department.name for department in DEPARTMENTS), *PEDIABENCH_ONLY)

_DEPARTMENT_NAMES = {
    name: department.name for department in DEPARTMENTS for name in (department.name, *department.aliases)
}
_KIND_NAMES = {written: kind for kind, chinese in KINDS.items() for written in (kind, chinese, f"{chinese}问题")}


def department_named(text: str) -> str:
    """Give a department the name that Table 1 prints; an unknown text comes back as it is.

    Examples
    --------
    >>> department_named("儿科急诊与危重症")
    '儿科急诊与危重症疾病'
    """
    return _DEPARTMENT_NAMES.get(text.strip(), text)


def task_named(text: str) -> str:
    """Give a task the name of section 2.3.2; an unknown text comes back as it is.

    Examples
    --------
    >>> task_named("基础知识")
    '疾病知识'
    """
    return TASK_ALIASES.get(text.strip(), text.strip())


def kind_named(text: str) -> str:
    """Give a kind of question its name in our records; an unknown text comes back as it is.

    Examples
    --------
    >>> kind_named("询问原因类问题")
    'reason'
    """
    return _KIND_NAMES.get(text.strip(), text)
