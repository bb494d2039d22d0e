"""What stands before a verdict in its sentence and makes it none, or another: supposed, asked, denied, of a part."""

from __future__ import annotations

import re

from medzh_score.extraction.verdict_words import CORRECT, HEDGE, INCORRECT, NEGATION

# Where a sentence begins so, what it says of a verdict is supposed, asked, or said by others.
_SUPPOSED = re.compile(
    r"(?:\A|[，,但而则：:])[\s“\"]*(?:但|而)?(?:如果|若|假如|假设|要是|倘若|假使|即便|即使)(?!一定要|非要|非得|硬要|必须|真要)|是否|有人|许多人|很多人"
    r"|不少人|人们|误以为|误认为|以为"
    r"|(?:若|如果?|假如|要是)[^，,；;]{0,12}[改换]|改[为成][^，,；;]*[，,]|难以?认同|没有?人|[你您他她]们?说(?![得的])"
    r"|否则|请(?:先|判断|回复|回答|输出|问)|无法|难以|不能(?:简单地?|完全|轻易)?(?:说|认为|判断|确定|断定|确认|证明)"
    r"|不确定|不清楚|不知道"
    r"|怎样|为什么|为何|(?:需要|我们|让我|来|要)(?:判断|看看|分析|确定)|题目(?:要求|问)|问的是"
    r"|\b(?:if|whether|unless|suppose|assuming|determine|decide|judge|check|evaluate|many people|some people|people)\b",
    re.IGNORECASE,
)
MAY_SUPPOSE = re.compile(
    "如(?=果|[^，,；;]{0,12}[改换])|若|假|要(?=是)|倘|即(?=[便使])|是(?=否)|否(?=则)|人(?=们)|人(?<=[有没多少]人)|以(?=为)|误(?=认)|请|无(?=法)|难(?=以|认)"
    "|不(?=能|确|清|知|太|会|大|怎|认|觉|相信|同意|赞同)|没(?=人)|怎(?=样)|为(?=什|何)|判(?=断)|看(?=看)|分(?=析)|确(?=定)"
    "|要(?=求)|问(?=的)|[你您他她们](?=们?说)|应(?=该?说|改|为)|的(?=说法|表述|描述|陈述|叙述)|改(?=[为成])|虽(?=然)|尽(?=管)|诚(?=然)"
    "|半(?<=[前后上下另一]半)|者(?<=[前后]者)|一(?<=[前后]一)|第(?=[一二三四五])|其(?=中)|部(?=分)|方(?=面)"
    "|if|If|IF|hether|nless|uppos|ssum|determin|ecide|udge|heck|valuate|eople|hough|hile|ven|think|believe|agree|half|Half|part|Part|portion"
)
_BUT = re.compile(
    r"但是?|不过|然而|所以|因此|因而|综上|总之|故而|其实|实际上|事实上"
    r"|\b(?:but|however|therefore|thus|so|in fact|actually)\b",
    re.IGNORECASE,
)
# The model denies what follows: 我不认为这个说法正确.
_DENIED = re.compile(
    r"不(?:太|会|大|怎么|能)?(?:认为|觉得|相信|认同|同意|赞同)[^，,；;]*\Z"
    r"|(?:n['’]t|\bnot|\bnever) (?:think|believe|agree)\b[^,;]*\Z",
    re.IGNORECASE,
)
# What is said of a part, or of another wording of the statement, says nothing of the statement.
_OF_A_PART = re.compile(
    r"(?:(?:前|后|上|下|另)一?半|前者|后者|前一|后一|第[一二三四五]|其中|部分|方面)[^，,；;]*\Z"
    r"|(?:应该?说|应改|应为)[^，,；;]*○[^，,；;]*\Z|(?:正确|准确|科学|规范|严谨)的(?:说法|表述|描述|陈述|叙述)[^，,；;]*\Z"
    r"|\b(?:half|part|portion)\b[^,;]*\Z",
    re.IGNORECASE,
)
_CONCEDED = re.compile(r"虽然|尽管|诚然|\b(?:although|though|while|even)\b", re.IGNORECASE)


def counted_as(before: str, value: str, rule: str) -> tuple[str, str] | None:
    """Say what a verdict counts as after the words before it in its sentence.

    Parameters
    ----------
    before : str
        These words.
    value, rule : str
        Of the verdict, as the wording says it.

    Returns
    -------
    tuple of str or None
        Value and rule: another value after words that deny it, the rule of a weak wording after what is conceded; None
        where the words suppose or ask, or speak of a part or another statement.

    Examples
    --------
    >>> counted_as("我不认为这个说法", "correct", "statement judged")
    ('incorrect', 'statement judged')
    >>> counted_as("如果该说法", "correct", "statement judged") is None
    True
    """
    if not MAY_SUPPOSE.search(before):
        return value, rule
    if _DENIED.search(before):
        value = {CORRECT: INCORRECT, INCORRECT: NEGATION}.get(value, HEDGE)
    *_, before = _BUT.split(before)
    if _SUPPOSED.search(before) or _OF_A_PART.search(before):
        return None
    return value, "claim judged" if _CONCEDED.search(before) else rule
