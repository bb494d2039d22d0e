"""Where the case of an examination question ends and what is asked begins (paper, appendix B.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dataset_scripts.recipes.banks.stems import mended
from medzh_score.text.folding import fold

LONGEST = 20  # characters of a last sentence of which all is taken, by the released code
RELEASED_BLANK = "（    ）"
ASKING = re.compile(r"[?？]")
SPACES = re.compile(r"(?<![A-Za-z])\s+|\s+(?![A-Za-z])")
ENDS = "。．.;；,，:：、 \t\r\n\u3000"
# The end of a sentence: not the point of a number, and not one inside brackets.
SENTENCE = re.compile(r"[。！!；;](?![^（(]*[)）])|\n")
CLAUSE = re.compile(r"[，,](?![^（(]*[)）])(?!\d{3})")
# A clause that says for what or when something is asked: without it the case breaks off, and what is asked is open.
LEADS = re.compile(r"^(?:为了?(?!.*[是为])|[若如])|(?<!小)时[，,]$")
# What the released code leaves out, word by word; the spec names some of each kind, so the rest is ours.
META_WORDS = re.compile(
    "下列|以下|上述|以上|错误|不正确|有误|除外|除了|不宜|不应|不是|不属于|不包括|不符合|不恰当|禁忌|哪项|哪一项|哪个|哪种"
)
META_OPTION = re.compile(
    "(?:以上|上述|上面|前述)[^，。]{0,6}(?:都|均|全|皆)|(?:以上|上述)[^，。]{0,4}(?:不是|不对|错)|[A-EＡ-Ｅ甲乙丙丁]\\s*[+＋、和与]\\s*[A-EＡ-Ｅ甲乙丙丁]"
    "|都(?:是|不是|对|不对|正确)$|^(?:全部|全对|全错|均是|均不是|都是|都不是|都可以|都可|无)$"
)
# Where a stem points to its options: 下列, and 以下 that is no measure (3岁以下) and not half a word (以下腹痛为主).
OPTIONS_BELOW = re.compile(
    "下列|下述|(?<![0-9一二三四五六七八九十半个岁周月天日时次米克升度%％A-Za-z脐膝膈])以下(?![肢腹段端部颌壁])"
)
ONLY_OPTIONS = re.compile("在?(?:下列|下述|以下)[^，,。：:]{0,6}[中里]?[，,：:]")
VAGUE = re.compile("(?<!最)(?:常|可能|主要|容易|恰当|合适|合理)")


@dataclass(frozen=True)
class Stem:
    """A question taken apart."""

    context: str  # the case, with the stop or comma at its end; "" where there is none
    text: str  # what is asked, without blank, question mark and stop


def split_stem(question: str) -> Stem:
    """Take a question apart: what is asked is the last sentence, or, where that is long, its last clause.

    Ours is that a clause stays with it that says for what or when it is asked. White space goes but between letters of words. A case that says no more than 下列各项中 is none.

    >>> split_stem("经产妇，30岁。规律宫缩6小时。最可能的诊断是（    ）。")
    Stem(context='经产妇，30岁。规律宫缩6小时。', text='最可能的诊断是')
    """
    text = SPACES.sub("", ASKING.sub("", mended(question))).rstrip(ENDS)
    ends = [found.end() for found in SENTENCE.finditer(text)]
    start = ends[-1] if ends else 0
    if len(text) - start > LONGEST:
        parts = [start, *(found.end() for found in CLAUSE.finditer(text, start))]
        while len(parts) > 1 and LEADS.search(text[parts[-2] : parts[-1]]):
            parts.pop()
        start = parts[-1]
    context = text[:start]
    return Stem("" if ONLY_OPTIONS.fullmatch(context) else context, text[start:])


def speaks_of_options(text: str) -> bool:
    """Say whether a text points to options that stand below it.

    >>> speaks_of_options("下列属于早孕表现的是"), speaks_of_options("3岁以下小儿的常见病是")
    (True, False)
    """
    return OPTIONS_BELOW.search(text) is not None


def filters_that_fire(
    question: str, stem: str, options: tuple[str, ...], answer: str, *, with_blank: bool
) -> list[str]:
    """Name the filters of the released code that would leave a question out; the blank is asked for in MEDQA.

    >>> filters_that_fire("", "下列属于早孕表现的是", ("停经", "以上都是"), "停经", with_blank=False)
    ['four-options', 'meta-words', 'meta-options']
    """
    both = len(fold(stem)) + len(fold(answer))
    fires = {
        "four-options": len(options) != 4,  # noqa: PLR2004 - the filter's name says it
        "blank": with_blank and RELEASED_BLANK not in question,
        "length": not 10 < both <= 30 or len(fold(stem)) <= 5 or len(fold(answer)) > 10,  # noqa: PLR2004 - the code's
        "meta-words": bool(META_WORDS.search(stem)),
        "meta-options": any(map(META_OPTION.search, options)),
        "vague": bool(VAGUE.search(stem)),
    }
    return [name for name, fired in fires.items() if fired]


def speaks_of_others(option: str) -> bool:
    """Say whether an option speaks of other ones, so that it says nothing alone.

    >>> speaks_of_others("以上都是"), speaks_of_others("A+B"), speaks_of_others("前置胎盘")
    (True, True, False)
    """
    return META_OPTION.search(option) is not None
