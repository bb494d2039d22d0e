"""How records of PediaBench's objective questions are made of its three workbooks."""

from collections import Counter
from itertools import count

from dataset_scripts.authoring import (
    Built,
    CardMetadata,
    Recipe,
    content_id,
    dataset_of,
    first_sheet,
    mini,
    read_objects,
    split_at_letters,
    with_prompts,
)
from medzh_score.authoring import LETTERS, numbered
from pediabench_bench.scoring import CONFIG

TRUE_FALSE, CHOICE, PAIRING = "pediabench-true-or-false", "pediabench-multiple-choice", "pediabench-pairing"
PAIRED = "请为下列各小题选出对应的备选答案。"


def identified(kind, group, question, answer, options=(), parts=()):
    """Give a record its id, from its content."""
    record = {"kind": kind, "group": group, "question": question, "options": [*options], "parts": [*parts]}
    return {"id": content_id(CONFIG.name, question, *options, *parts), **record, "answer": answer}


def statements(file):
    """Read statements, which are 对 or 错."""
    for group, question, answer, *_ in first_sheet(file.path)[1:]:
        yield identified("true-false", group.strip(), question.strip(), answer.strip())


def choices(file, dropped):
    """Read questions with one or several right options; what cannot be told apart is left out and counted."""
    for group, question, written, answer, *_ in first_sheet(file.path)[1:]:
        right = answer.strip()
        try:
            before, options = split_at_letters(written.strip())
        except ValueError:
            before, options = "", []
        if not options or before or not all(options):
            dropped["options that their letters do not separate"] += 1
        elif len(set(options)) < len(options):
            dropped["an option that stands twice"] += 1
        elif not right or [*right] != sorted({*right} & {*LETTERS[: len(options)]}):
            dropped["a right answer that is none of its options"] += 1
        else:
            kind = "letters" if len(right) == 1 else "several"
            yield identified(kind, group.strip(), question.strip(), right, options)


def paired(file):
    """Read groups of questions with shared answers, which the workbook has in another order; 问题1 begins a group."""
    groups = []
    for row in first_sheet(file.path)[1:]:
        if row[1].strip() == "问题1":
            groups.append([])
        groups[-1].append([cell.strip() for cell in row])
    for rows in groups:
        options = list(dict.fromkeys(row[4] for row in rows))
        answer = numbered([LETTERS[options.index(row[3])] for row in rows])
        yield identified("pairs", rows[0][0], PAIRED, answer, options, [row[2] for row in rows])


def convert(files, _seed):
    """Make records of the workbooks; of equal questions the first stays."""
    dropped, records, number = Counter(), {}, count()
    for one in (*statements(files[TRUE_FALSE]), *choices(files[CHOICE], dropped), *paired(files[PAIRING])):
        records.setdefault(one["id"], one)
        next(number)
    dropped["a question that stands twice"] = next(number) - len(records)
    notes = tuple(f"left out, {reason}: {times}" for reason, times in sorted(dropped.items()) if times)
    return Built({"test": with_prompts(CONFIG, records.values())}, notes)


def read(files):
    """Read the sample, one JSON object a line."""
    for file in files.values():
        for _, line in read_objects(file.path):
            yield identified(**line)


DATASET = dataset_of(
    CONFIG,
    "pediabench_bench",
    mini(CONFIG, "pediabench_bench", read),
    Recipe("official", "converted from the authors' workbooks", (TRUE_FALSE, CHOICE, PAIRING), convert),
    breakdown="kind",
    metadata=CardMetadata("released", "PediaBench 的客观题：判断题、单选题、多选题和配对题。", ("question-answering",)),
)
