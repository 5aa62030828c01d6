"""The words in which documents state what a dimension asks for: "within" states a deadline."""

from __future__ import annotations

from collections.abc import Mapping

from core.models.plan import Aspect

FIELDS: Mapping[Aspect, tuple[str, str]] = {
    "answer": (
        "criteria, conditions, time limits, amounts, exceptions",
        "条件 期限 金额 例外",
    ),
    "deadline": (
        "within, days, until, at the latest, deadline, time limit",
        "以内 天 之前 最迟 截止 期限",
    ),
    "amount": (
        "fee, cost, price, amount, free of charge, at most, per cent",
        "费用 金额 价格 免费 最多 百分之",
    ),
    "condition": (
        "only if, provided that, must be, requires, eligible, proof",
        "条件 必须 须 需要 符合 凭证",
    ),
    "exception": (
        "except, excluded, does not apply, not covered, exception",
        "除外 不适用 不包括 例外 不予",
    ),
    "procedure": (
        "steps, first, then, send, form, request, how to",
        "步骤 首先 然后 提交 申请 办理 流程",
    ),
    "responsible": (
        "approves, decides, responsible, owner, supervisor, needs the approval of",
        "批准 决定 负责 主管 审批 经理",
    ),
    "record": ("order, customer, status, placed on, delivered on", "订单 客户 状态 下单 送达"),
    "events": ("event, recorded on, happened, history", "事件 记录 发生 历史"),
    "checklist": ("checklist, done, missing, required item", "检查项 完成 缺少 必需"),
    "decision": (
        "may, must not, decide, escalate, close, approval, formal review",
        "可以 不得 决定 升级 关闭 批准 正式审核",
    ),
}
"""For each aspect the English and the Chinese field words."""


def field_words(aspect: Aspect, *, chinese: bool) -> str:
    """The words that passages use to state ``aspect``."""
    return FIELDS[aspect][1 if chinese else 0]
