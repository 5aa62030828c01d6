"""What kind of question an ask is, and which way of searching suits it, by readable rules.

The first rule that fits decides, so the more telling kinds come first.
"""

from __future__ import annotations

import re

from core.models.plan import QueryType, RetrievalMode
from core.text.comparisons import comparison
from core.text.tokens import content_words, stem, word_set

_I = re.IGNORECASE
_TYPES: tuple[tuple[QueryType, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            r"\bdifferences? (?:between|among|from)\b|\bdiffers?\b|\bcompare[ds]?\b|\bcomparison\b"
            r"|\b(?:what(?:'s| is| are)|tell me|explain) the differences?\b"
            r"|\bversus\b|\bvs\b|\brather than\b"
            r"|\bwhich (?:one |of (?:them|these|those|the two) )?(?:is|are) (?:the )?"
            r"(?:better|best|cheaper|cheapest|faster|fastest|(?:more|most) \w+)\b"
            r"|区别|差别|差异|有什么不同|有何不同|相比|比较|哪个更",
            _I,
        ),
    ),
    (
        "troubleshooting",
        re.compile(
            r"\b(?:does|do|did|is|are|was|has|can|could|will|would|wo|ca)(?:n['’]?t|not| not) "
            r"(?:\w+ )?(?:work|load|open|start|connect|log|sign|charge|turn|switch|respond|sync|"
            r"install|update|print|show up|go through|function)\w*"
            r"|\b(?:not|stopped|stops|quit) (?:working|loading|responding|charging|charge)\b"
            r"|\b(?:is|are|was|keeps?|gets?|am|i['’]m|got|it['’]s|my \w+ is) (?:\w+ )?(?:broken|"
            r"stuck|frozen|faulty|defective|locked out|failing|crashing|leaking)\b"
            r"|\b(?:error|fails?|failed|crash(?:es|ed)?|malfunction\w*|glitch\w*|troubleshoot\w*|"
            r"bug)\b|\b(?:problem|issue|trouble)s? (?:with|logging|signing|opening|using|when)\b"
            r"|\bwhy\b.{0,60}(?:n['’]t\b|\bnot\b|\bcannot\b|\bunable\b|\bdeclined\b|\brejected\b|"
            r"\brefused\b|\bstill\b|\bkeeps?\b|\bmissing\b|\bblocked\b)"
            r"|坏了|故障|无法|不能用|用不了|打不开|开不了|登不上|登录不了|连不上|出错|报错|失败|卡住|没反应|不工作"
            r"|为什么.{0,12}(?:不|没)",
            _I,
        ),
    ),
    (
        "definition",
        re.compile(
            r"\bwhat (?:does|do|did|is meant by|do you mean by) .{1,60}\b(?:mean|stand for)\b"
            r"|\bwhat (?:is|do you) mean(?:t)? by\b|\bdefin(?:e|ition of)\b|\bmeaning of\b"
            r"|\bwhat counts as\b|\bwhat (?:exactly )?qualifies as\b"
            r"|^\W*(?:so |and )?(?:what|who)(?:['’]s| is| are) (?:an? )?(?!the\b|my\b|your\b|our\b|"
            r"this\b|that\b|it\b|there\b|in\b|on\b|not\b)[\w'’-]+(?: [\w'’-]+){0,3}\W*$"
            r"|什么是|是什么意思|的定义|指的是什么|什么叫|何谓|怎样算|怎么算是",
            _I,
        ),
    ),
    (
        "procedural",
        re.compile(
            r"\bhow (?:do|can|should|would|does|to|could|must)(?: (?:i|we|you|one|a customer|"
            r"an agent|someone|customers))?(?! (?:long|much|many|often|soon|far|old|big|know))\b"
            r"|\bsteps?\b|\bprocedures?\b|\bprocess (?:for|of|to)\b|\binstructions\b|"
            r"\bwalk me through\b|\bguide me\b|\bset ?up\b|\bconfigure\b|\benable\b|\binstall\b|"
            r"\bwhat (?:do|must|should) (?:i|we|you) (?:have to |need to )?do\b"
            r"|\bwhere (?:do|can|should) i (?:send|submit|file|apply|register|report|upload)\b"
            r"|怎么(?!样$|办$|样？|算)|如何|步骤|流程|怎样|在哪里?(?:申请|办理|提交)|怎么办",
            _I,
        ),
    ),
    (
        "policy_interpretation",
        re.compile(
            r"\b(?:can|may|could|am i|are we|is it|are there|do you|does|will you|would you|do i|"
            r"must|should|shall|allowed|eligible|entitled|covered?|policy|policies|rules?|"
            r"how (?:long|much|many|soon|often|old)|when (?:do|does|will|can|must|is|are)|"
            r"until when|by when|within|exceptions?|refund|return|warranty|fees?|charge|cost|price|"
            r"deadline|conditions?|who (?:decides|approves|pays|may|must))\b|"
            r"可以|能否|能不能|可否|是否|多久|多少(?:天|钱|元)|多长|几天|规定|政策|条件|期限|例外|费用|吗",
            _I,
        ),
    ),
)  # fmt: skip
_QUOTED = re.compile(r"[\"“「《]([^\"”」》]{2,120})[\"”」》]|(?<!\w)'([^']{3,120})'(?!\w)")
_CODE = re.compile(
    r"(?<!\w)(?:SKU[-:\s#]*)?(?=[A-Z0-9._/-]*\d)(?=[A-Z0-9._/-]*[A-Z_])[A-Z0-9][A-Z0-9._/-]{3,}"
    r"(?!\w)|(?<!\w)SKU[-:\s#]*[\w-]+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"
)
_LOOKS = re.compile(
    r"\b(?:find|search|look(?:ing)? (?:up|for)|lookup|says?|mentions?|contain\w*|appears?|occurs?|"
    r"stated|written|read|quote[ds]?)\b|查找|搜索|哪里|哪份|提到|写着|出现|包含|原文",
    _I,
)
_LOOK_UP = frozenset(
    stem(w)
    for w in word_set(
        """find search look lookup say says mention mentions contain contains containing term
        word words phrase wording clause text exact exactly page pages document documents policy
        article section paragraph product item sku code number form passage appear
        appears occur stated written read quote quoted state open"""
    )
)
_ZH_LOOK_UP = re.compile(
    r"查找|搜索|哪里|哪个|哪份|文件|文档|政策|条款|提到|写着|出现|包含|原文|字样|商品|编号|型号|错误|代码|"
    r"[的了吗呢请在里有这句话词是说一下]"
)
_ALIKE = re.compile(
    r"\b(?:anything|something|passages?|texts?|rules?|clauses?|documents?|cases?) "
    r"(?:that (?:is|are|means?|sounds?|reads?) )?(?:similar|alike|close|comparable|like this|"
    r"the same|along the lines)\b|\bsimilar (?:passages?|rules?|cases?|texts?|wording|clauses?)\b"
    r"|\bin (?:the )?same (?:sense|spirit|meaning)\b|\bmeans? the same\b"
    r"|意思相近|类似的(?:规定|条款|内容|案例)|意思相同|同样意思",
    _I,
)


def query_type(ask: str) -> QueryType:
    """The kind of question, by the first rule that fits; a plain look-up otherwise."""
    if wants_exact_words(ask):
        return "exact_lookup"
    if comparison(ask) is not None:
        return "comparison"
    return next((name for name, rule in _TYPES if rule.search(ask)), "exact_lookup")


def wants_exact_words(ask: str) -> bool:
    """Whether it names the very words or the code to find, and beside them only that it looks.

    "Where does it say 'no refunds'?" does; "Can I return a 'Final Sale' item?" asks for more.
    """
    rest = _CODE.sub(" ", _QUOTED.sub(" ", ask))
    if rest == ask:
        return False
    if not any(ch.isalpha() for ch in rest):
        return True
    return bool(_LOOKS.search(rest)) and (set(content_words(_ZH_LOOK_UP.sub("", rest))) <= _LOOK_UP)


def retrieval_mode(
    kind: QueryType, question: str, *, structured: bool, parts: int
) -> RetrievalMode:
    """How to search for a question of this ``kind`` with so many ``parts`` to cover.

    Records or a case file make it ``multi_source``; exact words are searched as words; likeness in
    meaning by vectors. Where several passages must be weighed against each other the best ones are
    looked at again (where a reranker is set up); everything else is hybrid.
    """
    if kind in ("ambiguous", "out_of_scope"):
        return "none"
    if structured:
        return "multi_source"
    if wants_exact_words(question):
        return "lexical"
    if _ALIKE.search(question):
        return "vector"
    return "hybrid_rerank" if kind == "comparison" or parts > 1 else "hybrid"
