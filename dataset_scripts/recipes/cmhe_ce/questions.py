"""CMHE-CE's questions: what is asked of a concept of each class, in Chinese words of ours."""

from __future__ import annotations

from medzh_score.configs.cmhe_ce import words as cmhe_ce_words

# The paper describes what is asked (section 3.3) and prints one question, in English (Figure 7, of a disease's causes).
QUESTIONS = {
    "disease": {
        "cause": "哪些因素可能导致患者患上{}？",
        "symptom": "{}患者通常有哪些症状？",
        "treatment": "{}有哪些治疗方法？",
        "screening": "可以用哪些检查来筛查{}？",
    },
    "medicine": {
        "pharmacokinetics": "{}在体内的药代动力学过程是怎样的？",
        "indication": "{}的适应症有哪些？",
        "side effect": "{}可能有哪些副作用？",
        "interaction": "{}会与哪些药物发生相互作用？",
    },
    "test": {
        "procedure": "{}是怎样进行的？",
        "screened disease": "{}主要用于筛查哪些疾病？",
    },
}
CLASSES = tuple(one.name for one in cmhe_ce_words.CLASSES)  # in the order of the paper's tables


def question_on(name: str, concept_class: str, aspect: str) -> str:
    """Ask for an aspect of a concept.

    >>> question_on("缺铁性贫血", "disease", "treatment")
    '缺铁性贫血有哪些治疗方法？'
    """
    return QUESTIONS[concept_class][aspect].format(name)
