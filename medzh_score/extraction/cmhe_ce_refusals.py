"""Whether an explanation of CMHE-CE declines, and says nothing else: rule ``declines-1``, which its numbers rest on."""

from __future__ import annotations

import re

BETWEEN = " \t\r\u3000，,、.…"  # of which a part may consist that says nothing
# Sentences, and what stands on either side of a but: an explanation may follow there.
PARTS = re.compile(
    r"[。！!？?；;\n]|但是?|不过|然而|可是|一般认为|目前认为|通常|\bbut\b|\bhowever\b",
    re.IGNORECASE,
)
# The model speaks of itself, or of the answer that it does not give: 病因尚不清楚 is medicine.
UNABLE = re.compile(
    r"我(?![国院省市])(?:们)?(?:目前|暂时|现在|确实|实在|并|也|还|可能|恐怕|对[^，,]{1,20}|[^，,]{0,6}并?)?"
    r"(?:无法|不能|没有办法|没办法|不便|不会|不(?:太|是很|大|甚)?(?:清楚|了解|知道|确定|熟悉|认识)|没有听说过|没听说过|未听说过"
    r"|(?:没有|缺乏|缺少)(?:足够|充分|相关|具体|详细|准确|关于|有关|这方面|任何)[^，,]{0,20}(?:信息|资料|数据|知识|能力))"
    r"|(?:无法|不能|不便|难以|不宜|拒绝)(?:直接|准确|具体|为您|为你|给您|给你|向您|对此|就此|就这个问题)*"
    r"(?:回答|作答|答复|解答|提供[^，,]{0,16}(?:信息|建议|解答|答案|回答|帮助|意见|说明|解释|内容))"
    r"|没有(?:找到|查到|检索到)[^，,]{0,20}(?:信息|资料|内容)"
    r"|超出了?我的?(?:知识|能力|专业)?(?:储备|水平)?的?范围"
    r"|\A[\s，,]*不(?:太|是很|大)?(?:清楚|了解|知道|确定)(?:了|呢|的)?[\s，,]*\Z"
    r"|\b(?:I|we)(?: am|'m)?(?: currently| really| do)?"
    r"(?: cannot| can't| can ?not| don't| not (?:able|sure|aware|familiar|know|have)| unable)\b",
    re.IGNORECASE,
)
CLAUSES = re.compile(r"[，,：:]")
# Beside I do not know, in a clause of its own, this is said of medicine: 可能与环境有关, 由缺铁引起.
EXPLAINS = re.compile(
    r"可能(?:是|为|与|由|因)|(?:由|因)[^，,]{1,20}(?:引起|导致|所致|造成)|主要(?:是|有|为|由|与|用于)|表现为|常见于"
    r"|\b(?:may be|is caused by|is probably|is likely)\b",
    re.IGNORECASE,
)
APOLOGY = re.compile(
    r"[\s，,]*我?(?:非常|很|十分|真的|实在)?(?:抱歉|对不起|遗憾|不好意思)(?:[，,]?(?:给您带来[^，,]{0,8}|请(?:您)?(?:见谅|谅解|理解)))?[\s，,]*"
    r"|\s*(?:I(?: am|'m)(?: very| so)? sorry|sorry|I apologi[sz]e)\s*[.,]?\s*",
    re.IGNORECASE,
)
# What such an answer says beside that: that a doctor should be asked, or more be told.
REFERS = re.compile(
    r"(?:建议|请|最好|应当|应该|可以|欢迎)(?:您|你|患者)?[^，,]{0,12}"
    r"(?:咨询|就医|就诊|联系|前往|询问|求助|查阅|参考|提供|告诉|说明|补充|提出|换)"
    r"|(?:如果|若|如)(?:您|你|还|有)|希望[^，,]{0,10}(?:理解|谅解|有所帮助|对您|对你)|谢谢|感谢|作为[^，,]{0,14}(?:AI|人工智能|模型|助手)"
    r"|\b(?:please|as an? (?:AI|language model|assistant)|if you|consult|feel free)\b",
    re.IGNORECASE,
)


def refused(text: str) -> bool:
    """Say whether a text declines, and says nothing else.

    Each part of it must decline, apologise, or send the reader to a doctor or for more details, and one of them must
    decline. What explains anything in any part is an explanation; so is a text that says of medicine that nothing
    is known.

    Parameters
    ----------
    text : str
        An explanation without what was thought.

    Returns
    -------
    bool
        False of an empty text: it is counted apart.

    Examples
    --------
    >>> refused("抱歉，我无法回答这个问题，请咨询专业医生。"), refused("病因尚不清楚。")
    (True, False)
    >>> refused("我不确定，但一般认为与遗传有关。")
    False
    """
    parts = [part for part in PARTS.split(text) if part.strip(BETWEEN)]
    return any(map(UNABLE.search, parts)) and all(map(_says_nothing, parts))


def _says_nothing(part: str) -> bool:
    if UNABLE.search(part):
        others = (clause for clause in CLAUSES.split(part) if not (UNABLE.search(clause) or REFERS.search(clause)))
        return not any(map(EXPLAINS.search, others))
    return bool(APOLOGY.fullmatch(part) or REFERS.search(part))
