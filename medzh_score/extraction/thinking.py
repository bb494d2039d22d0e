"""What of a response is the answer: not its reasoning, not the tokens of a chat, not the turns of others."""

from __future__ import annotations

from functools import lru_cache

from medzh_score.extraction.vocabulary import expression

Pieces = list[tuple[int, int]]

MARK = expression(
    "mark of a chat",
    r"<[|/\s]{0,3}[\w▁:.-]{1,40}(?:\s[^<>|\n]{0,80})?[|/\s]{0,2}>|◁/?think▷|\[/?(?:INST|gMASK|think(?:ing)?|THINK)\]"
    r"|assistantfinal|\.\.\.done thinking\.",
    matches="<|begin_of_box|>B",
    misses="血钾<3.5 mmol/L",
)
ANY_MARK = expression(
    "any mark",
    r"[<＜〈‹«[［【〔〖◁](?:(?<=[<＜〈‹«])\s?[|｜/\w]|(?<=[\[［【〔〖])\s?/?(?:思|INST|gMASK|think|Think|THINK)|(?<=◁))",
    matches="【思考】先看A",
    misses="【答案】B",
)
HEADER = expression(
    "role or channel",
    r"(?i)\s*(?P<role>user|human|system|developer|tool|observation|assistant|model|bot|gpt)\b",
    matches="user\n再来一题",
    misses="使用者说",
)
CHANNEL_HEADER = expression(
    "name of a channel",
    r"(?i)\s*(?P<name>[a-z]+)(?:[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>)?",
    matches="final <|constrain|>json<|message|>B",
    misses="\n最终答案",
)
REASONING_HEAD = expression(
    "head of reasoning",
    r"(?i)\s*(?:#{1,4} ?thinking\s*\n|thinking\.\.\.\s*\n|\[\s*(?:思考|思考过程|思维链)\s*\]"
    r"|here(?: is|'s) my thought process:(?=[\s\S]*here(?: is|'s) my response:)|analysis(?=[A-Z\u4e00-\u9fff]))",
    matches="## Thinking\n先看A",
    misses="## 答案\nA",
)
ANSWER_HEAD = expression(
    "head of the answer",
    r"(?i)assistantfinal|\.\.\.done thinking\.|here(?: is|'s) my response:"
    r"|\n#{1,4} ?final (?:response|answer)\s*\n|\[\s*(?:/思考|思考结束|/思考过程)\s*\]"
    r"|(?=\[\s*(?:最终)?(?:回答|答案|结论|输出|判断)\s*\])",
    matches="先看A\n## Final Response\nB",
    misses="先看A\n## 分析",
)
ANSWER_FIELD = expression(
    "answer field behind an end of turn",
    r"\s*\[(?:正确|参考|最终)?答案\]",
    matches="\n[答案]B",
    misses="\n[题目]下列正确的是",
)
WORD = expression("word of a tag", r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\u4e00-\u9fff]+", matches="THINKING", misses="_1")
# What signs of a chat are. Those that end a turn; <eoe> and <eoa> end a part of it only.
OPEN, CLOSE, LABEL, CHANNEL, USER, ASSISTANT, ROLE, END, TOKEN = range(1, 10)
_ENDS = (
    *("im_end", "end", "eot", "eot_id", "eom_id", "endoftext", "end_of_text", "end_of_turn", "eos", "eod", "return"),
    *("call", "endofutterance", "end_of_utterance", "endofassistant", "end_of_turn_token", "end_of_sentence"),
)
_BARRED = {
    **dict.fromkeys(_ENDS, END),
    **dict.fromkeys(("im_start", "start", "turn", "start_header_id", "start_of_role"), ROLE),
    **dict.fromkeys(("user", "human", "system", "developer", "tool", "observation"), USER),
    **dict.fromkeys(("assistant", "bot", "gpt", "model"), ASSISTANT),
}
_PLAIN = {
    **dict.fromkeys(("eos", "eot", "eod", "end_of_turn", "end_of_utterance", "/s", "/assistant"), END),
    **dict.fromkeys(("user", "human", "inst"), USER),
    **dict.fromkeys(("assistant", "/inst"), ASSISTANT),
    **dict.fromkeys(("s", "bos", "pad", "unk", "sop", "sep", "cls", "gmask", "sys", "/sys"), TOKEN),
    "start_of_turn": ROLE,
    "unused94": OPEN,
    **dict.fromkeys(("unused95", "assistantfinal", "...done thinking."), CLOSE),
}
_WORDS = frozenset({"reasoning", "reflection", "reflect", "scratchpad", "monologue", "deliberation", "cot"})
_PARTS = ("think", "thought", "思考", "推理", "反思", "独白")
_CLOSING = frozenset({"end", "close", "stop", "finish"})
_HEADS = frozenset({"thinking", "analysis", "here is ", "here's m"})
_ANSWERS = frozenset({"final", "answer", "response"})


@lru_cache(maxsize=4096)
def kind_of(mark: str) -> int:
    """Say what stands in angle or square brackets in a text of one width; 0 for what is no sign of a chat.

    Examples
    --------
    >>> [kind_of(mark) > 0 for mark in ("<|END_THINKING|>", "<longcat_think>", "<|box|>", "<br>", "<I think so>")]
    [True, True, True, False, False]
    """
    inner = mark.strip("<>[]◁▷ ")
    barred = inner.startswith("|"), inner.endswith("|")
    name = inner.strip("| ")
    slash, name = name.startswith("/"), name.removeprefix("/").strip()
    if "=" in name:
        name = name.split()[0]
    plain = name.lower().replace("▁", "_")
    if plain == "channel" and any(barred):
        return CHANNEL if all(barred) else OPEN if barred[0] else CLOSE
    if plain == "turn" and barred == (False, True):
        return END
    words = [word.lower() for word in WORD.pattern.findall(name)]
    if (" " not in name or any(barred)) and (plain == "analysis" or any(map(_is_reasoning, words))):
        if slash or not _CLOSING.isdisjoint(words):
            return CLOSE
        return OPEN if name.isascii() and not name.endswith("/") else LABEL
    if any(barred):
        return _BARRED.get(plain, TOKEN if len(plain) > 1 else 0)
    known = _PLAIN.get(f"/{plain}" if slash else plain, 0)
    return known or (TOKEN if plain.startswith(("reserved_", "unused", "extra_id_")) else 0)


def _is_reasoning(word: str) -> bool:
    return word in _WORDS or any(part in word for part in _PARTS)


def may_hold_marks(text: str) -> bool:
    """Say whether a text, in whatever width, may hold a mark or a head: nearly always no, and soon found."""
    return (
        ANY_MARK.pattern.search(text) is not None
        or "assistantfinal" in text
        or text.lstrip("# \n")[:8].lower() in _HEADS
    )


def answer_pieces(text: str) -> Pieces | None:
    """Find where in a text of one width the answer stands; None where reasoning is never closed.

    Examples
    --------
    >>> answer_pieces("<think>A?</think>B"), answer_pieces("<think>A?"), answer_pieces("B<|eos|>C")
    ([(17, 18)], None, [(0, 1)])
    """
    start = 0
    if head := REASONING_HEAD.pattern.match(text):
        ends = [found.end() for found in ANSWER_HEAD.pattern.finditer(text, head.end())]
        if not ends:
            return None
        start = ends[-1]
    return _Turn(text, start).pieces()


class _Turn:
    """A walk along the marks of a text: what is inside reasoning or a prompt is passed over, all else is kept."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.at = text, start
        self.inside = 0  # the kind of mark that began what is passed over
        self.nested = 0  # opening tags inside, whose closing tags may follow
        self.closed = False
        self.kept: Pieces = []
        self.spare: Pieces = []  # what stood before a second closing tag, behind which nothing may stand

    def pieces(self) -> Pieces | None:
        """Give what is kept; None where reasoning is never closed."""
        for mark in MARK.pattern.finditer(self.text, self.at):
            if mark.start() >= self.at and (kind := kind_of(mark[0])) and self._ends_at(kind, *mark.span()):
                break
        else:
            if self.inside in {OPEN, CHANNEL}:
                return None
            if not self.inside:
                self.kept.append((self.at, len(self.text)))
        return self._said(self.kept) or self._said(self.spare)

    def _ends_at(self, kind: int, start: int, end: int) -> bool:
        """Go on to a mark, and say whether the answer ends with it."""
        kind, end = self._read_on(kind, start, end)
        if not kind or (self.inside == OPEN and kind != CLOSE):
            self.nested += kind == OPEN
            return False
        if not self.inside:
            self.kept.append((self.at, start))
            ends = kind == USER or (kind == END and not self._goes_on(end))
            if ends and (self.closed or self._said(self.kept)):
                return True
        self.at = end
        if kind == CLOSE:
            self.spare = self.kept if self.closed and not self.inside and not self.nested else []
            self.nested -= self.nested > 0 and not self.inside
            self.closed = True
        if kind in {CLOSE, USER} or (self.inside and kind in {ASSISTANT, END}):
            self.kept = []
        if kind in {OPEN, CHANNEL, USER}:
            self.inside = kind
        elif kind != TOKEN:
            self.inside = 0
        return False

    def _read_on(self, kind: int, start: int, end: int) -> tuple[int, int]:
        """Read what stands behind a mark and belongs to it: the role of a turn, the name of a channel."""
        if kind == LABEL:  # a heading, unless it is closed
            return (OPEN if f"/{self.text[start + 1 : end]}" in self.text[end:] else 0), end
        if kind == ROLE:
            role = HEADER.pattern.match(self.text, end)
            return (_BARRED[role["role"].lower()], role.end()) if role else (TOKEN, end)
        if kind == CHANNEL and (channel := CHANNEL_HEADER.pattern.match(self.text, end)):
            return (CLOSE if channel["name"].lower() in _ANSWERS else CHANNEL), channel.end()
        return kind, end

    def _goes_on(self, end: int) -> bool:
        """Say whether the answer is announced behind what ends a turn, and was not before."""
        return bool(ANSWER_FIELD.pattern.match(self.text, end)) and "答案]" not in self.text[:end]

    def _said(self, pieces: Pieces) -> Pieces:
        """Leave blank pieces out where all are; else take them as they are."""
        said = [one for one in pieces if one[0] < one[1]]
        return said if any(not self.text[start:end].isspace() for start, end in said) else []
