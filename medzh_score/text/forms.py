"""The form of a prediction's text, as far as it shows at once: what is read must not depend on it."""

from __future__ import annotations

NONE, BARE, SENTENCE, SENTENCES, MARKUP, JSON, REASONING, EMPTY = range(8)
# In the order of their numbers; the first is that of what did not come.
FORMS = ("none", "bare", "one sentence", "sentences", "markup", "JSON", "reasoning before", "empty")
MOST_BARE = 12  # characters: a word or a letter, maybe announced


def form_of(text: str) -> int:
    r"""Tell the form of a text; of several that it has, the one that a rule must take off first.

    Examples
    --------
    >>> texts = ("B", "答案是B选项，其余的都不正确。", "<think>A?</think>B", '{"answer": "B"}', "**B**\n因为……")
    >>> [FORMS[form_of(text)] for text in texts]
    ['bare', 'one sentence', 'reasoning before', 'JSON', 'markup']
    """
    if "<" in text or "{" in text or "*" in text or "\\" in text or "`" in text or "#" in text:  # few texts
        marked = _marked(text)
        if marked is not None:
            return marked
    said = text.strip()
    if len(said) <= MOST_BARE:
        return BARE if said else EMPTY
    return SENTENCES if "。" in text[:-1] or "\n" in said else SENTENCE


def _marked(text: str) -> int | None:
    if "<" in text and ("think" in text or "<|channel|>" in text):
        return REASONING
    if "{" in text and text.lstrip(" \n`json")[:1] in {"{", "["}:
        return JSON
    if "**" in text or "<" in text or "\\" in text or "`" in text or "\n#" in text or text[:1] == "#":
        return MARKUP
    return None
