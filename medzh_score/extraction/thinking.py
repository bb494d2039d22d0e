"""What of a response is not said to the reader: what the model thought, other turns, and who speaks."""

from __future__ import annotations

import re

from medzh_score.extraction.edits import Edit, Edits

# Tags of thinking blocks, of every family that shows them; a closing one closes whichever is open.
_NAMES = "think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad|inner_?thoughts|seed:think|思考|思考过程"
_TAG = re.compile(
    rf"<\s?(?P<a>/?)\s?(?:{_NAMES})(?:\s[^<>\n]{{0,80}})?>|◁(?P<b>/?)think▷|\[(?P<c>/?)THINK\]"
    r"|<\|(?P<d>begin|end)_of_thought\|>|<unused9(?P<e>[45])>",
    re.IGNORECASE,
)
_CLOSING = frozenset({"/", "end", "5"})
# Headings in the place of tags, at the very beginning: what opens, and what closes.
_HEADED = (
    (re.compile(r"\s*#{1,4} ?Thinking\s*\n"), re.compile(r"\n#{1,4} ?Final (?:Response|Answer)\s*(?:\n|\Z)")),
    (re.compile(r"\s*Thinking\.\.\.\s*\n"), re.compile(r"\.\.\.done thinking\.")),
    (
        re.compile(r"\s*[【\[]\s*(?:思考|思考过程|思维链)\s*[】\]]"),
        re.compile(
            r"[【\[]\s*(?:/思考|思考结束|/思考过程)\s*[】\]]|(?=[【\[]\s*(?:最终)?(?:回答|答案|结论|输出|判断)\s*[】\]])"
        ),
    ),
    # What is left of the channels where the tokens between them were taken out.
    (re.compile(r"\s*analysis(?=[A-Z\u4e00-\u9fff])"), re.compile(r"assistantfinal")),
)
_MAY_HEAD = frozenset("#T【[a")
_CHANNEL = "<|channel|>"
_FINAL = re.compile(r"<\|channel\|>\s*final[^<]{0,40}<\|message\|>")
_DETAILS = re.compile(r"<details\b[^<>]{0,200}\breasoning\b[^<>]{0,200}>")
_DETAILS_END = "</details>"

# Tokens that end a turn or open another. Not <eoe> and <eoa>, which end the parts of TCMBench's form.
_TURN = re.compile(
    r"<\|(?:im_end|im_start|im_sep|end|eot|eot_id|eom_id|endoftext|end_of_text|end_of_turn|eos|return|call|start|user"
    r"|assistant|system|observation|start_header_id|END_OF_TURN_TOKEN|endofassistant)\|>"
    r"|<｜(?:end▁of▁sentence|begin▁of▁sentence|User|Assistant)｜>"
    r"|</s>|<s>|\[/?INST\]|<</?SYS>>|<(?:eos|eot|eod|end_of_turn|start_of_turn|reserved_\d{1,3})>"
)
_OTHERS = frozenset({"<|user|>", "<|system|>", "<|observation|>", "[INST]", "<｜User｜>", "<<SYS>>"})
# After a token that opens a turn, the speaker.
_SPEAKER = re.compile(
    r"\s*(user|system|human|tool|assistant|model)\b(?:<\|end_header_id\|>|\s*\n|\s*\Z)?", re.IGNORECASE
)
_OPENS = re.compile(r"<\|(?:im_start|start_header_id|start)\|>|<start_of_turn>")
_HUMANS = frozenset({"user", "system", "human", "tool"})

_BEFORE = r"\A\s*(?:【|\[)?\s*"
_ANSWERS = (
    r"(?:assistant|AI|bot|model|ChatGPT|GPT|response|output|(?:AI|智能|医生|医疗|医学)*助手|助理|医生|模型|答|回答|回复|解答|输出)"
    r"(?:的?(?:回答|回复))?"
)
# Who speaks, before a response: Assistant:, 助手：, 答：, 【回答】, ### Response:.
_ROLE = re.compile(
    rf"{_BEFORE}(?:{_ANSWERS}\s*(?:[】\]]\s*)?[：:]|{_ANSWERS}\s*[】\]]|(?:assistant|model|response|回答|回复)\s*\n)\s*",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\A\s*(?:user|human|用户|问|问题|题目|question|Q)\s*[：:]", re.IGNORECASE)
_MAY_OPEN = re.compile(
    rf"[-+>#\[【]|{_ROLE.pattern}|{_ASKED.pattern}|analysis|assistantfinal|Thinking\.\.\.", re.IGNORECASE
)
_REPLY = re.compile(
    r"\n\s*(?:assistant|AI|助手|答|回答|response)\s*[：:]\s*|\n\s*(?=(?:答案|answer|判断)\s*[：:])", re.IGNORECASE
)
# A line that opens the next question: base models go on after their answer.
NEXT = re.compile(
    r"\n[^\S\n]*+(?:[【\[]?(?:题目|题干|问题|试题|例题|判断题|说法|陈述|命题|下一题|示例|用户|问|指令|Q"
    r"|(?i:question|user|human|instruction|input|statement|claim|example))[^\S\n]?\d{0,3}[】\]]?[^\S\n]*+[：:]"
    r"(?![^\S\n]*(?:选|答案[是为：:]*)?[A-H](?![A-Za-z0-9]))"
    r"|第\s?[\d一二三四五六七八九十]{1,3}\s?题|以下是中医执业医师资格考试"
    r"|(?:[(（]?\d{1,3}[.、．)）][^\S\n]*)?请?(?:判断)?(?:下列|以下)(?:关于[^\n，。]{1,12}的)?说法是否|请?判断(?:下列|以下|下面)|(?i:user|human)[^\S\n]*\n)"
)
_PART = re.compile(r"\s*第\s?[\d一二三四五六七八九十]{1,3}\s?题")
_ANSWERED_PART = re.compile(rf"{_PART.pattern}\s?[：:、.，]?[^\S\n]*(?:应?选|答案[是为：:]*)?[A-H](?![A-Za-z0-9])")


def thoughts(text: str) -> Edits | None:
    r"""Find the thinking blocks; and all that stands before a closing tag without an opening one.

    Parameters
    ----------
    text : str
        The raw response.

    Returns
    -------
    sequence of Edit or None
        None where thinking is never closed.

    Examples
    --------
    >>> thoughts("<think>A?</think>B"), thoughts("<think>A?")
    ([Edit(start=0, end=17, new='\n')], None)
    """
    if not ("<" in text or "◁" in text or "THINK]" in text or text[:1].isspace() or text[:1] in _MAY_HEAD):
        return ()
    if _CHANNEL in text:
        final = _FINAL.search(text)
        return None if final is None else [Edit(0, final.end())]
    for opening, closing in _HEADED:
        if opened := opening.match(text):
            closed = closing.search(text, opened.end())
            return None if closed is None else [Edit(0, closed.end())]
    if opened := _DETAILS.search(text):
        end = text.find(_DETAILS_END, opened.end())
        return None if end < 0 else [Edit(opened.start(), end + len(_DETAILS_END), "\n")]
    return _tagged(text)


def _tagged(text: str) -> Edits | None:
    edits: list[Edit] = []
    opened: int | None = None
    for tag in _TAG.finditer(text):
        closing = next((group for group in tag.groups() if group is not None), "").lower() in _CLOSING
        if not closing:
            opened = tag.start() if opened is None else opened
            continue
        if opened is None:
            edits = [Edit(0, tag.end())]
        else:
            edits.append(Edit(opened, tag.end(), "\n"))
        opened = None
    return None if opened is not None else edits


def may_open(text: str) -> bool:
    """Say whether a text may begin with a heading of thoughts, a speaker, a question or the mark of a list.

    Parameters
    ----------
    text : str
        Its first character one that begins such.

    Examples
    --------
    >>> may_open("答：正确"), may_open("答案：正确")
    (True, False)
    """
    return _MAY_OPEN.match(text) is not None


def other_turns(text: str) -> Edits:
    r"""Find what is not in the model's own first turn that says something.

    Parameters
    ----------
    text : str
        Without what was thought.

    Examples
    --------
    >>> other_turns("<|im_start|>assistant\nC<|im_end|>")
    [Edit(start=0, end=22, new=''), Edit(start=23, end=33, new='')]
    """
    start, others = 0, False
    for token in _TURN.finditer(text):
        if not others and not _is_blank(text[start : token.start()]):
            return [Edit(0, start), Edit(token.start(), len(text))] if start else [Edit(token.start(), len(text))]
        start, others = token.end(), token[0] in _OTHERS
        speaker = _SPEAKER.match(text, start) if _OPENS.fullmatch(token[0]) else None
        if speaker:
            start, others = speaker.end(), speaker[1].lower() in _HUMANS
    return [Edit(0, len(text) if others else start)] if start else []


def _is_blank(text: str) -> bool:
    return text.strip().lower() in {"", "assistant", "model"}


def before_answer(text: str) -> Edits:
    """Find what stands before an answer and only says whose it is, or what was asked.

    Parameters
    ----------
    text : str
        Without markup.

    Examples
    --------
    >>> before_answer("助手：正确")
    [Edit(start=0, end=3, new='')]
    """
    end = 0
    if _ASKED.match(text) and (reply := _REPLY.search(text)):
        end = reply.end()
    for _ in range(3):
        if not (role := _ROLE.match(text[end : end + 60])):
            break
        end += role.end()
    return [Edit(0, end)] if end else []


def next_question(text: str) -> Edits:
    r"""Find where a response that has said something goes on with a question of its own.

    Parameters
    ----------
    text : str
        Without what stands before the answer.

    Examples
    --------
    >>> next_question("正确\n问题：感冒")
    [Edit(start=2, end=8, new='')]
    """
    start = len(text) - len(text.lstrip())
    # Not where another of the answers to a group follows: 第一题：… and then 第二题：…
    numbered = _PART.match(text, start) is not None
    openings = (
        found
        for found in NEXT.finditer(text, start)
        if not ((numbered and _PART.match(found[0])) or _ANSWERED_PART.match(text, found.start()))
    )
    opening = next(openings, None)
    return [Edit(opening.start(), len(text))] if opening else []
