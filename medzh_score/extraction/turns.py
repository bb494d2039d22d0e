"""Which part of a response is its answer: thinking before it and turns of others after it are not."""

from __future__ import annotations

from medzh_score.extraction.expressions import expression

_NAMES = "think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad|inner_?thoughts|seed:think|思考|思考过程"
THINKING = expression(
    "thinking",
    rf"(?i)<\s?(?P<a>/?)\s?(?:{_NAMES})(?:\s[^<>\n]{{0,80}})?>|◁(?P<b>/?)think▷|\[(?P<c>/?)think\]"
    r"|<\|(?P<d>begin|end)_of_thought\|>|<unused9(?P<e>[45])>",
    matches="<think>先看A",
    misses="<answer>B</answer>",
)
_CLOSING = frozenset({"/", "end", "5"})
FINAL_CHANNEL = expression(
    "final channel",
    r"(?i)<\|channel\|>\s*final[^<]{0,40}<\|message\|>|assistantfinal|\.\.\.done thinking\."
    r"|\n#{1,4} ?final (?:response|answer)\s*\n|\[\s*(?:/思考|思考结束|/思考过程)\s*\]"
    r"|(?=\[\s*(?:最终)?(?:回答|答案|结论|输出|判断)\s*\])",
    matches="<|channel|>final<|message|>B",
    misses="<|channel|>analysis<|message|>B",
)
THINKING_HEAD = expression(
    "thinking head",
    r"(?i)\s*(?:#{1,4} ?thinking\s*\n|thinking\.\.\.\s*\n|\[\s*(?:思考|思考过程|思维链)\s*\]"
    r"|<\|channel\|>|analysis(?=[A-Z\u4e00-\u9fff]))",
    matches="## Thinking\n先看A",
    misses="## 答案\nA",
)
# Tokens that end a turn. <eoe> and <eoa> end a part of it only.
TURN_END = expression(
    "end of turn",
    r"(?i)<\|(?:im_end|end|eot|eot_id|eom_id|endoftext|end_of_text|end_of_turn|eos|return|user|observation"
    r"|endofutterance|endofassistant|end_of_turn_token)\|>|<\|(?:im_start|start_header_id)\|>\s*(?:user|human|system)"
    r"|<｜end▁of▁sentence｜>|</s>|\[inst\]|<(?:eos|eot|eod|end_of_turn)>",
    matches="B<|im_end|>",
    misses="<|im_start|>assistant\nB",
)


def answer_region(text: str) -> tuple[int, int]:
    """Find where the answer begins and ends; an end of -1 where thinking is never closed.

    Examples
    --------
    >>> answer_region("<think>A?</think>B"), answer_region("<think>A?")
    ((17, 18), (0, -1))
    """
    start = after_thinking(text)
    if start < 0:
        return 0, -1
    if "<" not in text and "[" not in text:
        return start, len(text)
    while found := TURN_END.pattern.search(text, start):
        if text[start : found.start()].strip():
            return start, found.start()
        start = found.end()  # nothing was said before it
    return start, len(text)


def after_thinking(text: str) -> int:
    """Give where thinking ends: 0 where there is none, -1 where it does not end."""
    if head := THINKING_HEAD.pattern.match(text):
        finals = list(FINAL_CHANNEL.pattern.finditer(text, head.end()))
        return finals[-1].end() if finals else -1
    if "<" not in text and "◁" not in text and "[" not in text:
        return 0
    end, opened = 0, False
    for tag in THINKING.pattern.finditer(text):
        opened = next((group for group in tag.groups() if group is not None), "").lower() not in _CLOSING
        if not opened:
            end = tag.end()
    return -1 if opened else end
