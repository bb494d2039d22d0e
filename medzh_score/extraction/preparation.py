"""What is taken off a response before any rule of ours reads it: thinking, markup, other widths, the next question."""

from __future__ import annotations

import re
import unicodedata

TRADITIONAL = "選擇應為項確對錯誤題標準參綜則說無會號優該當終論還從個這問認們與結實屬"
SIMPLIFIED = "选择应为项确对错误题标准参综则说无会号优该当终论还从个这问认们与结实属"
CIRCLED = "ⒶⒷⒸⒹⒺⒻⒼⒽ"
CROSSES = "✗✘❌✖✕"
PICTURES = "\u2600-\u27bf\ufe0f\U0001f300-\U0001faff"  # ✅, 👉
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"

_WIDE = {
    wide: wide - 0xFEE0
    for wide in range(ord("！"), ord("～") + 1)
    if chr(wide - 0xFEE0).isalnum() or chr(wide) in "．［］"
}
TWINS = {
    **_WIDE,
    **str.maketrans(TRADITIONAL + CIRCLED + "\r", SIMPLIFIED + "ABCDEFGH\n"),
    **dict.fromkeys(map(ord, CROSSES), "×"),
    **dict.fromkeys(map(ord, INVISIBLE)),
}

THINKING = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
UNUSUAL = re.compile(rf"[<*_`$#{{}}\\~\r０-９Ａ-Ｚａ-ｚ．［］{PICTURES}{CIRCLED}{INVISIBLE}{TRADITIONAL}]")
# Tokens that end a turn, or open another: what follows is no answer to the question.
# Not <eoe> and <eoa>, which end the parts of TCMBench's form.
TURN = re.compile(
    r"<\|(?:im_end|im_start|im_sep|end|eot_id|eom_id|endoftext|end_of_text|end_of_turn|eos"
    r"|user|start_header_id)\|>"
    r"|</s>|<s>|\[/?INST\]|<(?:eos|eot|eod|end_of_turn|start_of_turn|reserved_\d{1,3})>"
)
MARKUP = re.compile(
    r"</?(?!answer)(?:[bipsu]|[A-Za-z][A-Za-z_]{1,15})>|<\|[^|<>\n]{1,20}\|>"  # <eoa>, <|im_end|>
    rf"|```[a-z]*|[*_`$#{{}}{PICTURES}]|~~"  # Markdown
    r"|\\(?:text|textbf|mathrm|mathbf|rm)(?![a-z])|\\[()\[\]]"  # LaTeX; \boxed stays, it marks an answer
)
# A line that opens the next question: base models go on after their answer. 题目： is the header of our plain text.
NEXT_QUESTION = re.compile(
    r"\n[^\S\n]*+(?:【?(?:题目|问题|试题|例题|[Qq]uestion|用户|User|Human)】?[^\S\n]*+[：:]"
    r"|以下是中医执业医师资格考试)"
)
SPEAKERS = frozenset({"", "assistant", "model"})  # what may stand before a response's own turn
_QUOTES = "\"'“”‘’「」『』【】"
_STOPS = ".。,，、;；:：!！…"


def prepared(text: str) -> str | None:
    r"""Take off a response what is not said to the reader, or only dresses it.

    Thinking blocks go, and so does all that stands before a closing tag without an opening one; so do markup, tags
    and zero-width characters. At the end of the model's turn the rest is cut off. Full-width letters
    and digits become half-width, the traditional forms of the words that mark answers simplified. From
    a line on that opens a new question the rest is cut off.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    str or None
        Without white space around it; None where a thinking block is never closed.

    Examples
    --------
    >>> prepared("<think>A or B?</think>**答案**：Ｃ\n\n题目：麻黄汤的君药是")
    '答案：C'
    """
    said = spoken(text)
    if said is None:
        return None
    if UNUSUAL.search(said):
        said = MARKUP.sub("", said.translate(TWINS))
    text = said.strip()
    if "\n" in text and (opening := NEXT_QUESTION.search(text)):
        return text[: opening.start()].rstrip()
    return text


def spoken(text: str) -> str | None:
    """Take off a response what is not said to the reader: thinking, and the tokens and text of another turn.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    str or None
        As it stood otherwise, and the same object where there was nothing to take off; None where a thinking block is
        never closed.

    Examples
    --------
    >>> spoken("**C**<|im_end|>")
    '**C**'
    """
    if "<" in text:
        said = _without_thinking(text)
        if said is None:
            return None
        text = said
    if "<" in text or "INST]" in text:
        text = _own_turn(text)
    return text


def _without_thinking(text: str) -> str | None:
    kept: list[str] = []
    inside, start = False, 0
    for tag in THINKING.finditer(text):
        if not tag[1]:
            if not inside:
                kept.append(text[start : tag.start()])
            inside = True
            continue
        if not inside:
            kept.clear()
        inside, start = False, tag.end()
    return None if inside else "\n".join([*kept, text[start:]])


def _own_turn(text: str) -> str:
    """Cut at the first token of a turn that has text before it; one that opens the response goes."""
    start = 0
    for token in TURN.finditer(text):
        if text[start : token.start()].strip() not in SPEAKERS:
            return text[start : token.start()]
        start = token.end()
    return text[start:]


def folded(text: str) -> str:
    """Bring a text into the form in which an option is compared with what a model wrote.

    Parameters
    ----------
    text : str
        Either of the two.

    Returns
    -------
    str
        In NFKC, prepared as responses are, without white space, quotes around it and closing punctuation.

    Examples
    --------
    >>> folded(" ＩｇＧ（ 1 ）。")
    'IgG(1)'
    """
    plain = MARKUP.sub("", unicodedata.normalize("NFKC", text).translate(TWINS))
    return "".join(plain.split()).lstrip(_QUOTES).rstrip(_QUOTES + _STOPS)
