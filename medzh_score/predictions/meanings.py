"""What the name of what decided means: for people who look at one prediction."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.benchmark.rules import Rule

NO_ANSWER = {
    "empty": "nothing is left to read",
    "too long": "it runs on for longer than is read",
    "unfinished thinking": "thinking is never closed, so nothing is said to the reader",
    "refusal": "the text declines to answer, and says nothing else",
    "contradiction": "it says two things that cannot both be meant",
    "correction": "it takes back what it said",
    "hedge": "it leaves open what it says",
    "undecided": "it says itself that this cannot be decided, or holds in part",
    "either": "it names the choice itself, or one of several",
    "unclear": "where the names end cannot be told",
    "denied": "what would be the answer is denied",
    "supposed": "what would be the answer is only supposed",
    "asked": "what would be the answer is asked",
    "example": "what would be the answer is an example of the form",
    "somebody else's": "what would be the answer is the view of somebody else",
    "no such option": "the question has no option of that letter",
    "not given": "other parts of the group are answered, this one is not",
    "nothing": "it commits itself to nothing that the rule knows",
}
ANSWERS = {
    "whole text": "the whole text as it came is the answer",
    "own text": "the text without thinking, and without what follows the model's own answer, is the answer",
    "cut text": "the text runs on for longer than is read, and its beginning stands for the whole",
    "letters": "the text is letters and nothing else",
    "several": "it commits itself to several options where one was asked for",
    "alone": "it is all that is said, or all that a line says",
    "opening": "the text begins with it",
    "answer": "what announces an answer stands before it, as 答案：",
    "choice": "a word that chooses stands before it, as 故选",
    "is": "a sentence says that the answer is this",
    "corrected": "it stands where the text corrects itself",
    "bracket at the end": "it stands in brackets at the end",
    "holds": "it is said to hold, or to fail where that is asked for",
    "each": "the options are judged one by one",
    "listed": "a list names it",
    "text": "an option's text stands as the answer",
    "texts": "options' texts stand as the answer",
    "all": "all options are meant",
    "in order": "answers stand in the order of the questions",
    "verdict field": "a field of that name says so",
    "verdict labelled": "what announces a verdict stands before it",
    "verdict alone": "the verdict is all that a sentence says",
    "verdict at the beginning": "the text begins with the verdict",
    "nod at the beginning": "the text begins with a nod, as 是的",
    "statement judged": "a clause judges the statement",
    "statement of a kind": "it says which kind of statement this is",
    "own question answered": "the verdict answers the text's own question",
    "verdict after a turn": "the verdict stands behind a turn, as 因此",
    "statement repeated": "the verdict stands behind the statement that it repeats",
    "verdict corrected": "the verdict stands where the text corrects itself",
    "yes or no field": "a field of that name says so",
    "yes or no labelled": "what announces an answer stands before it",
    "yes or no at the beginning": "the text begins with yes or no",
    "yes or no in a line": "yes or no is all that a sentence says",
    "question answered": "yes or no stands behind the question that it answers",
    "misinformation stated": "a clause says whether the answer has misinformation",
    "answer judged": "a clause judges the answer",
    "answer explained": "yes or no, and behind it what it means",
    "yes or no corrected": "yes or no stands where the text corrects itself",
    "nod": "it nods to whoever asked",
    "first sentence": "the first sentence says what can be or what is not",
}


def meaning(rule: Rule, name: str, *, answered: bool) -> str:
    """Say in a clause what a name of a rule means: the rule's own words first; empty for one that nobody declares."""
    return rule.meanings.get(name) or (ANSWERS if answered else NO_ANSWER).get(name, "")
