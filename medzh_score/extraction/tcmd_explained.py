"""Where TCMD's ``strict-1`` read its options, as far as that can be said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.locating import part
from medzh_score.extraction.next_question import cut
from medzh_score.extraction.option_labels import announced, marks, outranks, qualified, taken_back
from medzh_score.extraction.option_wordings import CONCLUDED, FAR_BEFORE, LETTERS
from medzh_score.extraction.preparation_places import locate_prepared
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.tcmd_choice import Choice, Question
from medzh_score.extraction.tcmd_groups import EXCLUDED, FORM
from medzh_score.extraction.tcmd_lines import bare_choice, first_line, last_line
from medzh_score.extraction.tcmd_numbers import pairs
from medzh_score.extraction.tcmd_question import announcement
from medzh_score.extraction.tcmd_strict import Side, read
from medzh_score.variants import order_of

if TYPE_CHECKING:
    from medzh_score.config import Answer
    from medzh_score.extraction.option_labels import Mark
    from medzh_score.extraction.preparing import Located
    from medzh_score.extraction.reading import Span

LABEL_NEAR = 24  # characters behind a number in which its label is looked for


def explain(text: str, side: Side, variant: int) -> tuple[Reading, ...]:
    """Say where the answers of a response were read.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : Side
        What was asked.
    variant : int
        The number of the permutation in which options were shown.

    Returns
    -------
    tuple of Reading
        One a part, as `tcmd_strict.read` gives it: with the marker and its label, the line, or the number and its
        label; without a place where there is no answer, or where it cannot be said.

    Examples
    --------
    >>> from medzh_score.extraction.tcmd_strict import Part
    >>> explain("君药是麻黄，故选A。", Side((Part(("桂枝", "麻黄", "杏仁")),), largest=3), 2)
    (Reading(value='B', rule='marker', spans=(Span(start=7, end=9),)),)
    """
    answers = read(text, side, variant)
    located = locate_prepared(text)
    if located is None or not located.text:
        return tuple(Reading(one.value, one.rule) for one in answers)
    orders = [order_of(variant, len(one.options), side.largest) for one in side.parts]
    questions = [Question(one.texts, order) for one, order in zip(side.parts, orders, strict=True)]
    if len(questions) == 1:
        spans = [_of_one(located, questions[0], _choice(answers[0]))]
    else:
        spans = _of_group(located, questions, answers)
    return tuple(Reading(one.value, one.rule, found) for one, found in zip(answers, spans, strict=True))


def _choice(answer: Answer) -> Choice:
    """Give what was chosen as it was shown; the note holds its label."""
    return Choice(None if answer.note is None else LETTERS.index(answer.note), answer.rule)


def _of_one(located: Located, question: Question, choice: Choice) -> tuple[Span, ...]:
    located = part(located, 0, len(cut(located.text, question)))
    text = located.text
    if choice.shown is None or not text:
        return ()
    if choice.rule.startswith("marker"):
        place = _marked(text, question, choice)
    elif bare_choice(text, question):
        place = 0, len(text)
    elif last_line(text, question) == choice:
        place = text.rindex("\n") + 1, len(text)
    elif first_line(text, question) == choice:
        place = 0, len(text.partition("\n")[0].rstrip())
    else:
        return ()
    return (located.span(*place),) if place else ()


def _marked(text: str, question: Question, choice: Choice) -> tuple[int, int] | None:
    """Find the marker that announced a choice, as the rule does: the last that counts, else the last bare one."""
    closing = CONCLUDED.search(text, max(0, len(text) - FAR_BEFORE))
    if closing and not taken_back(text, closing.start(1)):
        return closing.span(1)
    found = [(mark, announcement(text, mark, question)) for mark in marks(text)]
    binding = [(mark, said) for mark, said in found if said is not None and said.binding]
    strong = [one for one in binding if outranks(text, one[0])]
    mark, said = next(iter(strong or binding), (None, None))
    return _of_mark(text, mark) if mark is not None and said == choice else None


def _of_mark(text: str, mark: Mark) -> tuple[int, int]:
    labels = announced(text, mark)
    if labels:
        return mark.start, labels.end
    before = qualified(text, mark)
    if before:
        return text.rindex(before.letters, 0, mark.start), mark.word
    line = text[mark.end :].partition("\n")[0]
    return mark.start, mark.end + len(line.rstrip("。. "))


def _of_group(located: Located, questions: list[Question], answers: tuple[Answer, ...]) -> list[tuple[Span, ...]]:
    text = located.text
    if FORM.search(text) or EXCLUDED.search(text):
        return [()] * len(answers)  # the rule takes these out, and places move
    numbered = pairs(text, questions)
    spans: list[tuple[Span, ...]] = []
    for place, answer in enumerate(answers):
        own = [pair for pair in numbered if pair.place == place and pair.choice == _choice(answer)]
        if answer.value is None or not own:
            spans.append(())
            continue
        start = own[-1].start
        label = text.find(answer.note or "", start, start + LABEL_NEAR)
        spans.append((located.span(start, label + 1 if label >= 0 else start + 1),))
    return spans
