"""What kind of thing an ask in Chinese wants to know."""

from __future__ import annotations

import re

from core.models.plan import Aspect

TIME_NOUN_ZH = r"(?:期限|截止(?:日期|时间)?|有效期|保修期|时限|时效|到期日)"
AMOUNT_NOUN_ZH = r"(?:费用|价格|运费|金额|手续费|邮费|押金|罚款|上限|下限|收费)"
CONDITION_NOUN_ZH = r"(?:条件|要求|资格|前提)"
EXCEPTION_NOUN_ZH = r"(?:例外(?:情况)?|不适用范围|除外情形)"
PROCEDURE_NOUN_ZH = r"(?:流程|步骤|手续|办理方式)"
RESPONSIBLE_NOUN_ZH = r"(?:负责人|审批人|负责部门)"

ASPECTS_ZH: tuple[tuple[Aspect, re.Pattern[str]], ...] = (
    (
        "responsible",
        re.compile(
            r"(?:谁|哪个?部门|哪位|由谁)(?:来)?(?:决定|批准|审批|负责|授权|签字|承担|支付|处理|出)"
            r"|(?:要|需要?|应该?)?(?:找|联系)(?:谁|哪个?部门)|谁(?:可以|能|有权)(?:批准|决定|审批)"
            rf"|{RESPONSIBLE_NOUN_ZH}是谁"
        ),
    ),
    (
        "exception",
        re.compile(
            rf"(?:有没有|有什么|有哪些|哪些是|是否有){EXCEPTION_NOUN_ZH}|{EXCEPTION_NOUN_ZH}"
            r"(?:有哪些|是什么)|(?:哪些|什么)[^，。？]{0,12}(?:不能|不可以|不予|不适用|不包括|除外)"
        ),
    ),
    (
        "deadline",
        re.compile(
            r"多久|多长时间|多少(?:天|个?工作日|小时|个月|周|年)|几(?:天|个?月|周|年|小时|个工作日)"
            r"|(?:最迟|最晚|截至|截止)[^，。？]{0,8}(?:什么时候|何时|哪天|几号|几点)"
            r"|(?:什么时候|何时|几点|几号|哪天)[^，。？]{0,12}(?:前|之前|到期|过期|到账|送达|截止|"
            r"生效|到|能收到|发货|退款)"
            rf"|{TIME_NOUN_ZH}(?:是|有|为)?(?:多|什么|几|到)"
        ),
    ),
    (
        "amount",
        re.compile(
            rf"多少钱|几块钱|多少元|{AMOUNT_NOUN_ZH}(?:是|要|为)?(?:多少|几|什么|怎么算)"
            r"|(?:最多|最少|至少|需要|收)?多少(?:积分|件|个|张|次|份|人|费)|百分之几|收不收费|怎么收费"
        ),
    ),
    (
        "condition",
        re.compile(
            rf"(?:什么|哪些|何种){CONDITION_NOUN_ZH}|{CONDITION_NOUN_ZH}(?:是什么|有哪些|是哪些)"
            r"|什么情况下|哪些情况|(?:需要|要|必须|应)(?:提供|准备|出示|带|提交)(?:什么|哪些)"
            r"|需要(?:什么|哪些)(?:材料|凭证|证明|文件|证件)"
        ),
    ),
    (
        "procedure",
        re.compile(
            rf"(?<![是么])(?:怎么|如何|怎样)(?:才能)?(?!办$|样|定义)|{PROCEDURE_NOUN_ZH}(?:是什么|有哪些|是怎样)"
            r"|(?:什么|哪些)(?:步骤|流程|手续)|在哪(?:里|儿)?(?:申请|办理|提交|退|寄)"
        ),
    ),
)  # fmt: skip

_NOUNS: dict[Aspect, str] = {
    "deadline": TIME_NOUN_ZH,
    "amount": AMOUNT_NOUN_ZH,
    "condition": CONDITION_NOUN_ZH,
    "exception": EXCEPTION_NOUN_ZH,
    "procedure": PROCEDURE_NOUN_ZH,
    "responsible": RESPONSIBLE_NOUN_ZH,
}
ATTRIBUTES_ZH = tuple((aspect, re.compile(rf"{noun}$")) for aspect, noun in _NOUNS.items())
