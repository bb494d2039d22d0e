"""What is brought into order in a response to a choice question, or left out of it, before its answer is looked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.choice_next import COMMITTED

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

ONE = r"[A-H](?![A-Za-z0-9])"
LABEL = re.compile(rf"(?<![A-Za-z0-9]){ONE}")
JOIN = r"[^\S\n]*(?:[、，,；;和与及&/]|以及|还有|\band\b)+[^\S\n]*(?:选项)?"
GLOSS = r"(?:选?项)?[^\S\n]*[（(][^（）()\n]{1,60}[)）]"
GLOSSED = re.compile(rf"(?<![A-Za-z0-9])[A-H](?:{GLOSS})?(?:{JOIN}(?:[A-H]{GLOSS}|{ONE}))+")
INSIDE = re.compile(GLOSS)
LABELLED = re.compile(r"([A-H])(?:选?项)?[^\S\n]*[（(]([^（）()\n]{1,60})[)）]")
POINTS = re.compile(r"(?<![A-Za-z0-9.])[A-H](?:[.．][A-H])+(?![A-Za-z0-9])")
NUMBER_OF = re.compile(r"(?<=[A-H])(?:这)?[两二三四五]个?(?:选?项|答案)?(?=[。.！!；;]|\Z)")
ALL_RIGHT = re.compile(rf"([A-H](?:{JOIN}[A-H])+)(?:选?项)?[都均皆](?:正确|对)[。.！!]?\Z")  # and nothing else
BROKEN = re.compile(r"(?<=[：:为是])\s*([A-H]{2,})\n([A-H]+)\Z")
# What judges options one by one is no answer, for the question may ask for the wrong ones.
VERDICT = r"[A-H](?:选?项)?[：:]?[是为]?(?:正确|对|√|错误?|不正确|不对|×)(?![A-Za-z])"
VERDICTS = re.compile(
    rf"(?<![A-Za-z0-9])((?:因此|所以|故|综上所述|综上)?[，,]?)({VERDICT}(?:[；;，,、。\s]+{VERDICT})+)"
)
HOLDS = re.compile(r"([A-H])(?:选?项)?[：:]?[是为]?(?:正确|对|√)")
REST_WRONG = re.compile(
    r"((?:答案[是为]?[：:]?|选择?)\s*[A-H](?:[、，, ]*[A-H])*)[；;，,。]\s*[A-H](?:[、，, ]*[A-H])*"
    r"(?:选?项)?[都均皆]?[为是]?(?:错误?|不正确|不对|不符合(?:题意)?)(?=[。；;，,！!\n]|\Z)"
)
# Another's answer, before a But and one's own.
CONCEDED = re.compile(r"答案(?:[是为][：:]?|[：:])\s*([A-H])[，,]\s*(?=(?:但|然而|不过|可是)([^\n]*))")
# What is to be chosen in another case, after an answer.
OTHER_CASE = re.compile(
    r"(?<=[。；;\n])\s*[^。；;，,：:\n]{1,14}(?:时|者|则)[，,]?(?:应|则|宜|可)*(?:首?选|答案[是为]?[：:]?)[^\S\n]*[A-H]"
    r"(?![A-Za-z0-9])[^。；;\n]*[。；;]?"
)
INTRODUCES = re.compile(r"(?:答案|选项|正确)[^\n]{0,12}[：:]\s*\Z")
BULLET = re.compile(r"\s*(?:[-•·]\s*|\d{1,2}[.、)）]\s*)?([A-H])[.．、:：)）\s]+")
EXPLAINS = re.compile(r"\s*[：:，,（(—-]")
DENIES = re.compile(r"错|不正确|不对|不符|不选|排除|有误|×")


def plain(text: str, question: Question) -> str:
    """Bring a response into the form in which its answer is looked for.

    Options that are joined, each with its text in brackets, become letters; explanations in an announced list of
    options, verdicts on single options, what somebody else chose, and what holds in another case go.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.
    """
    text = _with_letters_for_letters(text, question)
    text = _with_letters_for_texts(text, question)
    text = GLOSSED.sub(lambda found: _without_glosses(found[0], question), text)
    text = POINTS.sub(lambda found: re.sub("[.．]", "、", found[0]), text)
    text = NUMBER_OF.sub("", text)
    whole = ALL_RIGHT.match(text)
    text = whole[1] if whole else BROKEN.sub(_joined, text)
    text = VERDICTS.sub(_conclusion, text)
    text = REST_WRONG.sub(r"\1", text)
    text = _without_others_answer(text)
    committed = COMMITTED.search(text)
    if committed:
        text = text[: committed.end()] + OTHER_CASE.sub("", text[committed.end() :])
    return _without_explanations(text, question).strip()


def _without_glosses(text: str, question: Question) -> str:
    """Drop what stands in brackets behind joined letters, unless it is another option's text."""
    for label in LABELLED.finditer(text):
        option, own = question.texts.whole(label[2]), question.own(label[1])
        if option is not None and (own is None or not question.texts.same(own, option)):
            return text
    return INSIDE.sub("", text)


def _with_letters_for_letters(text: str, question: Question) -> str:
    """Write the letter of an option that itself reads as letters: E（A+B+C）, A+B+C."""
    for place, option in enumerate(question.texts.texts):
        written = option.strip()
        if not re.fullmatch(r"[A-H](?:\s*[+＋、,，和与及]\s*[A-H])+", written) or question.texts.repeated(place):
            continue
        letter, own = "ABCDEFGH"[place], re.escape(written)
        text = re.sub(
            rf"(?<![A-Za-z0-9+])(?:{letter}[.．、:：\s]*[（(]?{own}[)）]?|{own}\s*[（(]{letter}[)）])", letter, text
        )
        if "+" in written or "＋" in written:
            text = re.sub(rf"(?<![A-Za-z0-9+]){own}(?![A-Za-z0-9+])", letter, text)
    return text


def _with_letters_for_texts(text: str, question: Question) -> str:
    """Write the letters of joined options that each have theirs in brackets: 肺炎（A）、喉炎（B）."""
    named = [re.escape(option.strip()) for option in question.texts.texts if option.strip()]
    if not named or not re.search(r"[（(][A-H][)）]", text):
        return text
    either = "|".join(sorted(named, key=len, reverse=True))
    one = rf"(?:{either})[（(][A-H][)）]"

    def letters(found: re.Match[str]) -> str:
        for told in re.finditer(rf"({either})[（(]([A-H])[)）]", found[0]):
            option, own = question.texts.whole(told[1]), question.own(told[2])
            if option is None or own is None or not question.texts.same(own, option):
                return found[0]
        return "、".join(re.findall(r"[（(]([A-H])[)）]", found[0]))

    return re.sub(rf"{one}(?:{JOIN}{one})+", letters, text)


def _joined(found: re.Match[str]) -> str:
    """Join letters that a line end breaks, where they go on in order."""
    letters = found[1] + found[2]
    return letters if letters == "".join(sorted(set(letters))) else found[0]


def _conclusion(found: re.Match[str]) -> str:
    """Drop verdicts, but for the only right one where they conclude."""
    right = HOLDS.findall(found[2])
    return f"{found[1]}{right[0]}项正确" if found[1].strip("，,") and len(right) == 1 else found[1]


def _without_others_answer(text: str) -> str:
    conceded = CONCEDED.search(text)
    if conceded is None or all(letter == conceded[1] for letter in LABEL.findall(conceded[2])):
        return text
    start = max(text.rfind(stop, 0, conceded.start()) for stop in "。；;！!\n") + 1
    return text[:start] + text[conceded.end() :]


def _without_explanations(text: str, question: Question) -> str:
    """Drop what explains each option of a list that is announced as the answer."""
    lines = text.split("\n")
    for start in range(1, len(lines)):
        before = lines[start - 1].strip() or (lines[start - 2].strip() if start > 1 else "")
        if not INTRODUCES.search(before) or not BULLET.match(lines[start]):
            continue
        ends = _ends(lines, start, question)
        if 1 < len(ends) < len(question.order):
            for number, end in ends.items():
                lines[number] = lines[number][:end]
            after = max(ends) + 1
            return "\n".join([line for line in lines[:after] if line.strip()])
    return text


def _ends(lines: list[str], start: int, question: Question) -> dict[int, int]:
    """Find where the option's text ends in each line of a list; nothing where one of them is rejected."""
    ends: dict[int, int] = {}
    for number in range(start, len(lines)):
        label = BULLET.match(lines[number])
        if label is None:
            if lines[number].strip():
                break
            continue
        own, met = question.own(label[1]), question.texts.leading(lines[number], label.end())
        if own is None or met is None or not question.texts.same(own, met.option):
            return {}
        end = label.end() + len(question.texts.texts[met.option].strip())
        rest = lines[number][end:]
        if DENIES.search(rest) or (rest.strip() and not EXPLAINS.match(rest)):
            return {}
        ends[number] = end
    return ends
