"""CARE-MI: whether an answer to a yes-or-no question says that its claim holds; the rest of it is for raters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

from medzh_score.benchmark.stages import Between
from medzh_score.extraction.normalize import normalize_chars, prepare
from medzh_score.extraction.score import read_score
from medzh_score.extraction.verdict import ALONE, ECHOED, NODDED, OPENING, read_verdict
from medzh_score.extraction.vocabulary import expression
from medzh_score.extraction.yes_no import read_yes_no

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from medzh_score.benchmark.answers import Reading


AGREE, REFUSE = "agree", "refuse"
_OF = {"correct": AGREE, "yes": AGREE, "incorrect": REFUSE, "no": REFUSE}
_NO = r"(?:(?:并?不是|没有)(?=.)|并非|不|没|无(?=[需须助])|禁止)"
NEGATED = expression(
    "negated claim",
    rf"{_NO}(?=[是为宜能可应会得需必要属须])|不是|并非|没有|无助|禁止",
    matches="活动性肺结核的产妇不宜母乳喂养",
    misses="早产儿胎龄不满37周",
)
AFFIRMED = expression("affirmed claim", r"[是为宜能可应会得需必要有]", matches="可以母乳喂养", misses="对")
PARTLY = expression("claim in part", r"不一定|不完全|未必|既[是对]", matches="是的，但不一定", misses="不是")
DENIED = expression("denied", _NO, matches="不宜", misses="宜")
VERB = expression(
    "verb of a claim",
    r"可能会?|有可能|(?<![机社])会(?![诊阴厌])|(?<![功性机可])能够?|可以|可(?![能以见])|(?<![反适供效感])应(?!激)[该当]?|需要?|必须|适?宜|适合",
    matches="可能怀孕",
    misses="急性会厌炎",
)
_SHORT = {"可能会": "可能", "有可能": "可能", "能够": "能", "应该": "应", "应当": "应", "需要": "需", "适宜": "宜"}
# Verbs that say the same of what follows, and by themselves.
_ALIKE = ("会 可能 能 可以 可 应 宜 适合", "应 需 必须")
_ALONE = ("会 可能", "可能 能 可以 可", "应", "需 必须", "宜 适合")
OPEN = expression(
    "left open",
    r"不[都全总]|例外|除非|除外|取决于|因人而异|[看视据].{0,8}(?:而定|情况)|不好说|很难说|一概而论|如果|假如|若|误[解区以]|认为|以为|[有据听]人?说",
    matches="可以,视孩子的情况而定",
    misses="不会,请放心",
)
TURNED = expression(
    "in general but", r"(?:一般|通常|多数|往往).{0,80}(?:但|不过|然而)", matches="一般不会,但", misses="一般不会"
)
BESIDE = expression(
    "beside a predicate",
    r"[也都就还均则仍故但她他它\W]|其实|实际上|当然|绝对|肯定|一定|确实|的确|根本|同样|一般|通常|因此|所以|综上",
    matches="因此也会",
    misses="会",
)
TOKEN = expression(  # a denial and a measure belong to what follows
    "token of a claim",
    r"(?:[未非无不没]|(?:[小大少多低高]于|超过)(?=\d))?(?:\d+(?:\.\d+)?|.)",
    matches="未满",
    misses="",
)
NODS = expression(
    "yes or no to a denial",
    r"(?:\A|(?<=\W))(?:当然|确实|的确|嗯)?(?:(?P<agree>是(?:的|这样的?)?|对的?|没错|不错|如此|yes|sure)[呢啊呀]?"
    r"|(?P<refuse>并?不是(?:的|这样的?)?|并非(?:如此)?|否|错)|(?P<bare>不|no))(?=\W|\Z)",
    matches="不是。",
    misses="不是所有人",
)
ENGLISH = expression(
    "English predicate",
    r"\b(?:it|they|this|she|he) (?:can|do|does|is|are|may|will|should)(?P<no>n't|not| not| never)?\b",
    matches="it does not",
    misses="no",
)
ENDS = str.maketrans("。!;", "\n\n\n")
LEFT_OUT = 4  # tokens at the beginning of what follows a verb that a denial may leave out: who denies less denies more
LONGEST, LONGEST_VERB = 200, 4  # characters of a clause that is read, and of a verb
GREETING = 8  # characters that may stand before a verb by itself


@dataclass(frozen=True)
class QuestionClaim:
    """What a yes-or-no question claims, as a statement that it holds, and what the question says against it."""

    statement: str
    opposite: str = ""

    @cached_property
    def _denial(self) -> tuple[int, int] | None:
        """Find what denies its predicate: where it parts from its opposite, or else before its main verb."""
        one, two = self.statement, self.opposite
        at = next((at for at, (this, that) in enumerate(zip(one, two, strict=False)) if this != that), 0)
        if at and (_denies(one, two, at) or _denies(two, one, at)):
            found = DENIED.pattern.match(one, at)
            return found and found.span()
        verbs = list(VERB.pattern.finditer(one))
        for verb, after in zip_longest(verbs, verbs[1:]):
            if after is None or "的" not in one[verb.end() : after.start()]:  # else it belongs to a noun
                start, denied = _denied(one, verb.start())
                return (start, verb.start()) if denied else None
        found = NEGATED.pattern.search(one)
        return found and found.span()

    @property
    def negative(self) -> bool:
        """Whether its predicate denies something, so that 不会 agrees with it."""
        return self._denial is not None

    @cached_property
    def _parts(self) -> tuple[list[str], str, list[str]]:
        """Its subject, its verb and what follows, where it denies something."""
        start, end = self._denial or (0, 0)
        verb = VERB.pattern.match(self.statement, end)
        if not verb and self.statement[end - 1] in "是有":
            end -= 1
        subject, rest = self.statement[:start] + "这种情况下", self.statement[verb.end() if verb else end :]
        return _tokens(subject), _verb(verb) if verb else "", _tokens(rest)

    @property
    def equates(self) -> bool:
        """Whether it says that something is not something, so that 不是 may deny it or repeat it."""
        return self._parts[2][:1] == ["是"]

    def said(self, text: str) -> set[str]:
        """Say whether sentences that repeat the predicate of a claim that denies repeat its denial, too."""
        found, before = set(), 0
        for sentence in text.replace("?", "?\n").replace(". ", "\n").translate(ENDS).splitlines():
            opened = {match[0] for match in OPEN.pattern.finditer(sentence)}
            unsaid = any(one not in self.statement for one in opened) or TURNED.pattern.search(sentence)
            for clause in sentence.replace(":", ",").split(","):
                alone, before = before <= GREETING, before + len(clause)
                if unsaid or sentence.endswith("?") or len(clause) > LONGEST:
                    continue
                denied = self._repeated(BESIDE.pattern.sub("", clause).rstrip("的了吧呢啊"), alone=alone)
                if denied is not None:
                    found.add(AGREE if denied else REFUSE)
        return found

    def _repeated(self, clause: str, *, alone: bool) -> bool | None:
        """Say whether a clause repeats the predicate, and whether it denies it."""
        subject, verb, rest = self._parts
        places = [(match.start(), match.end(), _verb(match)) for match in VERB.pattern.finditer(clause)]
        if verb in {"", "会"} and rest:
            places += [(at, at, "") for at, sign in enumerate(clause) if rest[0].startswith(sign)]
        for start, end, said in places:
            before, denied = _denied(clause, start)
            by_itself = end == len(clause)
            if by_itself and (not alone or (said == "可能" and verb != said and not denied)):
                continue
            if not (said == verb or (not said and denied) or _alike(said, verb, _ALONE if by_itself else _ALIKE)):
                continue
            after = _tokens(clause[end:])
            skipped = rest.index(after[0]) if after and after[0] in rest else 0
            if skipped > (LEFT_OUT if denied else 0) or after == ["是"]:
                continue
            if _inside(after, rest) and _inside(_tokens(clause[:before]), subject):
                return denied
        return None


def _denies(one: str, two: str, at: int) -> bool:
    """Say whether one statement is another with a denial at a place, but for the verb."""
    denial = DENIED.pattern.match(one, at)
    verb = VERB.pattern.match(one, denial.end()) if denial else None
    rest = one[(verb or denial).end() :] if denial else ""
    return bool(rest) and two.endswith(rest) and len(two) - at - len(rest) < LONGEST_VERB


def _denied(text: str, verb: int) -> tuple[int, bool]:
    """Give where the denials before a verb begin, and whether they deny it: two of them do not."""
    start, count = verb, 0
    for denial in reversed(list(DENIED.pattern.finditer(text[: verb + 1]))):
        if denial.end() == start:
            start, count = denial.start(), count + 1
    return start, count % 2 == 1


def _verb(found: re.Match[str]) -> str:
    return _SHORT.get(found[0], found[0])


def _alike(one: str, two: str, groups: tuple[str, ...]) -> bool:
    return any({one, two} <= set(group.split()) for group in groups)


def _tokens(text: str) -> list[str]:
    return TOKEN.pattern.findall(BESIDE.pattern.sub("", normalize_chars(text).casefold()))


def _inside(some: list[str], tokens: list[str]) -> bool:
    """Say whether some tokens are among others, in their order."""
    left = iter(tokens)
    return all(one in left for one in some)


def read(text: str, claim: QuestionClaim) -> str | None:
    """Read whether an answer agrees with the claim of its question; a bare no to a claim that denies may mean either.

    Examples
    --------
    >>> claim = QuestionClaim("妊娠剧吐会引起脱水。")
    >>> [read(text, claim) for text in ("这个说法是正确的。", "不会。", "不一定。")]
    ['agree', 'refuse', None]
    >>> claim = QuestionClaim("妊娠剧吐不会引起脱水。")
    >>> [read(text, claim) for text in ("不会。", "是的。", "不是。", "会引起脱水。", "不，不会。", "不。")]
    ['agree', 'agree', 'refuse', 'refuse', 'agree', None]
    """
    if PARTLY.pattern.search(text):
        return None
    found = read_verdict(text)
    nodded = found.reason == NODDED.name
    if claim.negative:
        return _read_of_denial(text, claim, found)
    if nodded or found.reason == "nothing":
        found = read_yes_no(text, spoken=True)
    told = found.reason == "first sentence"  # of what, only the question says
    if isinstance(found.value, str) and not told:
        return _OF[found.value]
    if found.reason != "nothing" and not told:
        return None
    question = f"{claim.statement.rstrip('。')}吗？"
    return _repeated(text, claim) or _OF.get(str(read_yes_no(text, question, spoken=True).value))


def _read_of_denial(text: str, claim: QuestionClaim, found: Reading) -> str | None:
    """Read an answer to a claim that denies by a word and by what repeats the claim, which decides a bare no."""
    prepared = prepare(text)
    said = claim.said(prepared.folded)
    nodded = found.reason == NODDED.name
    if isinstance(found.value, str) and not nodded:
        judged = found.reason not in {ALONE.name, OPENING.name, ECHOED.name}
        return _OF[found.value] if judged or said <= {_OF[found.value]} else None
    if not nodded:
        found = read_yes_no(text, spoken=True)
    if found.reason in {"hedge", "asked", "supposed"}:
        return None
    spans = () if found.reason == "first sentence" else found.spans
    words = [word for span in spans if (word := NODS.pattern.search(text[span.start : span.end].casefold()))]
    if words and words[0][0] in {"yes", "no"} and (english := ENGLISH.pattern.search(prepared.folded)):
        said.add(AGREE if english["no"] else REFUSE)
    known = {str(word.lastgroup) for word in words if not (claim.equates and word[0] in {"是", "不是"})}
    bare = known == {"bare"} or (bool(said) and "否" in {word[0] for word in words})
    if not words and not said:
        return _repeated(text, claim)
    if words and TURNED.pattern.search(prepared.folded.partition("。")[0]):
        return None
    if nodded and AGREE in known and AGREE not in said and _affirms(text[spans[-1].end :]):
        return None
    values = said if bare else said | (known - {"bare"})
    return values.pop() if len(values) == 1 else None


def _repeated(text: str, claim: QuestionClaim) -> str | None:
    """Say what an answer that opens by repeating a statement as a sentence says of the claim."""
    # The longer first: one may begin as the other does.
    both = sorted(((claim.statement, AGREE), (claim.opposite, REFUSE)), key=lambda one: len(one[0]), reverse=True)
    bares = ((statement.rstrip("。"), value) for statement, value in both)
    opens = (
        value for bare, value in bares if bare and text.strip().startswith(bare) and _ends(text.strip()[len(bare) :])
    )
    return next(opens, None)


def _ends(rest: str) -> bool:
    return rest[:1] in {"", *"。，！；\n"}


def _affirms(text: str) -> bool:
    """Say whether what stands behind a nod affirms and denies nothing, which a nod to a denial would have it do."""
    return AFFIRMED.pattern.search(text) is not None and NEGATED.pattern.search(text) is None


SCORE = Between(0, 1)


def score_reader(aspect: str) -> Callable[[str, Mapping[str, str]], Mapping[str, str] | None]:
    """Make the reader of a round's responses, which gives the score under the name of the aspect.

    Examples
    --------
    >>> read = score_reader("correctness")
    >>> read("评分：0.80", {}), read("0.8，因为基本正确", {}), read("评分：8.5/10", {})
    ({'correctness': '0.8'}, {'correctness': '0.8'}, None)
    """

    def read(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
        value = read_score(text, SCORE.low, SCORE.high).value
        number = SCORE.read(f"{value:.9f}") if isinstance(value, float) else None
        return None if number is None else {aspect: number}

    return read
