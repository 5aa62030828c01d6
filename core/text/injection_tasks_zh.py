"""Tasks and questions in Chinese, as ``injection_tasks`` reads them in English.

Whether a sentence strays is told by shared characters and pairs of characters: no encoder is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.language import CJK, cjk_share
from core.text.tokens import content_words

_VERB = re.compile(
    r"^(?:[\"“「『(（*>-]\s*)?(?:请(?!问)|麻烦|帮我|帮忙|帮|替我|给我|为我|为我们|能否|能不能|"
    r"可以|可否|你能|你可以|请你|现在|另外|顺便|"
    r"然后|最后|接着|再|首先|并且|并|同时|试着|尝试|用[^，。\n]{1,8}|以[^，。\n]{1,12}|"
    r"为[^，。\n]{1,12}|给[^，。\n]{1,10}|"
    r"就[^，。\n]{1,12}|对[^，。\n]{1,14}(?:进行|做)|根据[^，。\n]{1,12}[，,]?|"
    r"把[^，。\n]{1,20}|将[^，。\n]{1,20})*"
    r"(?:写|撰写|编写|创作|编[一个]|编造|生成|翻译|译[成为]|计算|算[一出]|求[出解]|解[释答]|"
    r"介绍|列[出举]|分析|总结|概[括述]|归纳|描述|"
    r"讲[一个讲]|讲讲|推荐|设计|提供|说明|告诉我|想[一出几十个]|起草|润色|改写|改成|猜|判断|"
    r"比较|对比|预测|证明|评价|评估|谈谈|说说|聊聊|说出|"
    r"制定|规划|画|背诵|朗读|唱|起名|取名|举[例出]|模拟|扮演|转换|换算|排序|分类|提取|识别|续写|"
    r"造句|填空|解[出]|查[找一]|搜索|"
    r"什么是|谁|为什么|为何|如何|怎样|怎么|哪[里个些一年座]|几|多少|[^，。\n]{1,16}(?:是什么|"
    r"是谁|有哪些|是多少|等于(?:几|多少)|在哪里?|"
    r"为什么|哪(?:一年|年|里|国)|怎么[做样写办])[^，。\n]{0,8}[？?]?$)"
)
_OF_A_MODEL = re.compile(
    r"诗|笑话|故事|作文|谜语|歌词|小说|散文|对联|剧本|译|python|java|代码|函数|程序|脚本|排序|"
    r"算法|情感|近义词|反义词|同义词|造句|"
    r"成语|(?:上面|以上|以下|下面|上述|下列|这[段篇句]|给定|前面)的?(?:文字|文本|句子|文章|段落|"
    r"内容|代码|话|词语|数字|表格)|辞职信|演讲|"
    r"文案|广告|口号|标语|给我|帮我|为我|替我|告诉我|\d+\s*(?:乘|加|减|除|x|\*|×|\+)|等于|之和|"
    r"方程|平方|"
    r"(?:[两三四五六七八九十]|\d+)(?:个|种|条|点|句|首|篇|道|则|项|段)|"
    r"[0-9一二两三四五六七八九十百]+字|食谱|菜谱|攻略|行程|"
    r"原理|首都|历史|定义|概念|世界|全球|哲学|数学|物理|化学|健康|减肥|投资|股票|旅游|电影|音乐|"
    r"摘要|概括|总结|通俗|简单(?:地|易懂|的语言)|"
    r"^(?:请你?|帮我|给我)?(?:列[出举]|解释|介绍|讲[述解]|概述|阐述|论述)|谁(?:发明|写|赢|获|是|"
    r"提出|创)|哪(?:一年|年|位|国)|发明|表情|摩斯|base64|拼音|法语|英语|日语|德语|法文|英文|日文"
)
_ABOUT_THE_PAGE = re.compile(
    r"会议|团队|同事|员工|主管|部门|工单|您|你的(?:订单|密码|账号|设备|包裹|商品|姓名|电话|"
    r"地址)|我们|本店|本公司|订单|退货|退款|"
    r"换货|商品|包裹|发票|客服|联系|账[号户]|损坏|故障|"
    r"零件|附上|下方|页面|点击|填写|原因|意见|客户|顾客|公证|提交|上传"
)
_CJK = re.compile(f"[{CJK}]")
_SET_TO_A_MODEL = 0.45
_LEAST_WORDS, _TEXT_WORDS = 3, 30
_PAIRS, _CHARACTERS = 0.65, 0.35


def chinese_task_score(low: str) -> float:
    """How much a Chinese sentence sets a task or asks a question, 0..0.45.

    Characters alone cannot tell an ordinary request of a page from a stray one: only what a page
    about one's own things would not ask counts at all.
    """
    if low.isascii() or not _VERB.match(low):
        return 0.0
    if _ABOUT_THE_PAGE.search(low) or not _OF_A_MODEL.search(low):
        return 0.0
    return _SET_TO_A_MODEL


def is_chinese(text: str) -> bool:
    """Whether a sentence is to be compared by its Chinese characters."""
    return cjk_share(text) > 0.3


def strays(sentence: str, others: Sequence[str]) -> float:
    """How far a Chinese sentence strays from the others of its text, 0..1.

    1 minus the share of its pairs of characters, and of its characters, that stand there too. A
    text too short to tell has nothing to stray from: 0.
    """
    pairs = set(content_words(sentence))
    around = {word for other in others for word in content_words(other)}
    if len(pairs) < _LEAST_WORDS or len(around) < _TEXT_WORDS:
        return 0.0
    characters, known = set(_CJK.findall(" ".join(pairs))), set(_CJK.findall(" ".join(around)))
    shared = _PAIRS * len(pairs & around) / len(pairs)
    shared += _CHARACTERS * (len(characters & known) / len(characters) if characters else 0.0)
    return round(1.0 - shared, 4)
