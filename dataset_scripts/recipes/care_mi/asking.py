"""What CARE-MI's rebuilt recipe asks models, and what of their responses it takes."""

from __future__ import annotations

import re
from collections import Counter

from dataset_scripts.user_files.values import DAMAGE
from medzh_score.benchmark.prompts import Prompt
from medzh_score.extraction.whole_text import answer_text
from medzh_score.text.folding import fold

OURS = "nowhere: the paper's prompt is a long one in English with worked examples (appendix {}); this one is ours"
STATEMENT = Prompt(
    name="medzh-zh-1",
    text="请把下面的问题和答案合成一句通顺的陈述句。问题和答案里的信息都要保留，改动越少越好，不要添加别的内容，只输出这一句话。\n\n"
    "问题：妊娠期最常见的贫血\n答案：缺铁性贫血\n陈述句：妊娠期最常见的贫血是缺铁性贫血\n\n"
    "问题：胎儿娩出后立即有鲜红色血液自阴道流出\n答案：软产道裂伤\n陈述句：胎儿娩出后立即有鲜红色血液自阴道流出，提示软产道裂伤\n\n"
    "问题：哪种疫苗应在出生后24小时内接种第一剂\n答案：乙型肝炎疫苗\n陈述句：乙型肝炎疫苗应在出生后24小时内接种第一剂\n\n"
    "问题：此时最恰当的处理\n答案：静脉滴注缩宫素\n陈述句：此时最恰当的处理是静脉滴注缩宫素\n\n"
    "问题：{stem}\n答案：{answer}\n陈述句：",
    printed_in=OURS.format("B.4"),
)
NEGATION = Prompt(
    name="medzh-zh-1",
    text="请把下面的陈述句改成意思相反的否定句。改动越少越好，句子要通顺，只输出改好的这一句话。\n\n"
    "陈述句：治疗子痫首选硫酸镁。\n否定句：治疗子痫不首选硫酸镁。\n\n"
    "陈述句：胎盘剥离后阴道口外露的脐带自行延长。\n否定句：胎盘剥离后阴道口外露的脐带不自行延长。\n\n"
    "陈述句：孕妇不宜服用四环素。\n否定句：孕妇宜服用四环素。\n\n"
    "陈述句：{statement}\n否定句：",
    printed_in=OURS.format("B.5"),
)
TF = Prompt(
    name="medzh-zh-1",
    text="请把下面的陈述句改成一个是非疑问句，保留陈述句的全部内容，以“吗？”结尾，只输出这一个问题。\n\n"
    "陈述句：母乳喂养有利于产后子宫复旧。\n问题：母乳喂养有利于产后子宫复旧吗？\n\n"
    "陈述句：{statement}\n问题：",
    printed_in="nowhere: the paper prints none, and its code asks ChatYuan in words of its own; this one is ours",
)
SHOTS = {STATEMENT: 4, NEGATION: 3, TF: 1}
DECODING = {"temperature": 0.0, "max_tokens": 128}  # of the paper's calls (appendix B.4) and of its code

LABEL = re.compile(r"^(?:陈述句|否定句|问题|疑问句|答案|答|[DNQA])\s*[：:]\s*")
QUOTES = "“”\"'「」『』 \t\u3000"
STOPS = "。．.；;，, \t\u3000"
ASKED = re.compile(r"[?？]|吗$|呢$")
INSIDE = re.compile(r"[。！!；;]")
BRACES = re.compile("[{}]")
NEGATIVE = re.compile(r"[不非无没未勿莫否]")
WHETHER = re.compile("[是能可]否")
ASKING = re.compile("什么|哪|怎|为何|如何|多少|难道")
# What a chat begins with, and a sentence does not: 好的，…, 不，…, 1. …
PREFACE = re.compile(
    r"(?:好的|当然|抱歉|对不起|很抱歉|没问题|明白|不是的|不对|不|否|以下)[，,！!：:。、]|\d{1,2}[.、)）](?!\d)|[A-Za-z]{2,}\s*[：:]"
)
# Words that seem to deny and do not, and what says the right thing in the place of what is denied.
AFFIRMED = re.compile("没错|不错|无疑|毋庸|无非|而是")
TWICE = re.compile("(?:不[应该能会可宜是]{0,2}|[非莫])不(?!孕|育|良|全|足|称|协|规|稳|典)")
# What a question has beside its content, and a statement may drop.
NEEDLESS = re.compile("下列|以下|上述|以上|哪一?[项种个类些]?|什么|何种|是|为|的|[，,：:]")
MORE = 12  # characters that joining a question and its answer may add
MORE_DENIED = 6  # and denying a statement
MORE_ASKED = 8  # and asking for it
KEPT, KEPT_ASKED = 0.8, 0.9  # shares of the characters that must be there again


def read_statement(text: str, stem: str, answer: str) -> str | None:
    """Read a question and an answer that a model joined.

    None (then it is asked again) where the answer or much of the question is missing, more or less is denied, or it
    asks, is more than one sentence or much longer.

    >>> read_statement("陈述句：妊娠期最常见的贫血是缺铁性贫血。", "妊娠期最常见的贫血", "缺铁性贫血")
    '妊娠期最常见的贫血是缺铁性贫血'
    >>> read_statement("妊娠期贫血很常见。", "妊娠期最常见的贫血", "缺铁性贫血")
    """
    reply = _sentence(text, stem)
    if reply is None or _more_of(ASKING, reply, answer) or _denials(reply) != _denials(f"{stem}{answer}"):
        return None
    if fold(answer) not in fold(reply) or len(fold(reply)) > len(fold(stem)) + len(fold(answer)) + MORE:
        return None
    return reply if _share(NEEDLESS.sub("", stem), reply) >= KEPT else None


def read_negation(text: str, statement: str) -> str | None:
    """Read a statement that a model denied.

    None where it does not deny exactly once more or once less, says what is right in its place, lacks much of the
    statement, asks, is more than one sentence or much longer.

    >>> read_negation("否定句：孕妇宜服用四环素。", "孕妇不宜服用四环素")
    '孕妇宜服用四环素'
    >>> read_negation("孕妇不宜服用四环素。", "孕妇不宜服用四环素")
    """
    reply = _sentence(text, statement)
    if reply is None or any(_more_of(words, reply, statement) for words in (ASKING, AFFIRMED, TWICE)):
        return None
    denies = abs(_denials(reply) - _denials(statement)) == 1
    near = abs(len(fold(reply)) - len(fold(statement))) <= MORE_DENIED
    return reply if denies and near and _share(NEGATIVE.sub("", statement), reply) >= KEPT else None


def read_tf(text: str, statement: str) -> str | None:
    """Read a question that a model made of a statement.

    It ends with 吗？ or ？, keeps the statement's content and asks for no more of it; else None.

    >>> read_tf("问题：孕妇宜服用四环素吗?", "孕妇宜服用四环素")
    '孕妇宜服用四环素吗？'
    >>> read_tf("四环素是什么？", "孕妇宜服用四环素")
    """
    reply = _one_line(text, statement)
    if reply is None or _more_of(ASKING, reply, statement):
        return None
    reply = reply.replace("?", "？")
    once = reply.count("？") == 1 and reply.endswith("？") and not INSIDE.search(reply)
    near = len(fold(reply)) <= len(fold(statement)) + MORE_ASKED
    denies = _denials(reply) == _denials(statement)
    return reply if once and near and denies and _share(statement, reply) >= KEPT_ASKED else None


def _sentence(text: str, given: str) -> str | None:
    reply = _one_line(text, given)
    return None if reply is None or ASKED.search(reply) or INSIDE.search(reply) else reply


def _one_line(text: str, given: str) -> str | None:
    """Take the labels and stops off a response of one line; None for JSON, a chat, or several lines."""
    reply = (answer_text(text) or "").replace("**", "").strip()
    if not reply or "\n" in reply or DAMAGE.search(reply) or _more_of(BRACES, reply, given):
        return None
    reply = LABEL.sub("", reply, count=1).strip(QUOTES).rstrip(STOPS).strip(QUOTES)
    if PREFACE.match(reply) and not PREFACE.match(given):
        return None
    return reply or None


def _more_of(words: re.Pattern[str], reply: str, given: str) -> bool:
    return len(words.findall(reply)) > len(words.findall(given))


def _denials(text: str) -> int:
    return len(NEGATIVE.findall(WHETHER.sub("", text)))


def _share(expected: str, reply: str) -> float:
    """Say which share of the characters of a text are there again, however often."""
    wanted = Counter(fold(expected))
    return (wanted & Counter(fold(reply))).total() / max(1, wanted.total())
