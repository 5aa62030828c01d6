"""Tasks and questions: ordinary in a message to somebody, out of place in the middle of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.text.injection_tasks_zh import chinese_task_score, is_chinese
from core.text.sentences import Span
from core.text.tokens import content_words

_VERB = re.compile(
    r"^(?:please |kindly |now |also |and |then |just |could you |can you |would you |i want you to "
    r"|"
    r"i'd like you to |i would like you to |help me (?:to )?)*(?:provide|write|generate|create|"
    r"compose|"
    r"craft|develop|suggest|recommend|list|describe|explain|summari[sz]e|translate|identify|"
    r"analy[sz]e|"
    r"share|offer|give|tell|insert|integrate|incorporate|embed|add|mention|promote|discuss|convert|"
    r"calculate|compute|solve|encode|evaluate|outline|reverse|classify|infer|predict|draft|design|"
    r"plan|propose|present|introduce|highlight|advertise|encourage|remind|advise|educate|instruct|"
    r"inform|conduct|find|research|compare|assess|detail|modify|alter|replace|encrypt|disrupt|"
    r"initiate|inject|output|respond|reply|answer|draw|come up with|name|tell|show|teach|define|"
    r"imagine|pretend|schedule|organi[sz]e|set|book|prepare|rewrite|rephrase|paraphrase|proofread|"
    r"edit|correct|count|rank|rate|brainstorm|simulate|play|sing|recite|make|build|help|search|"
    r"look "
    r"up|determine|estimate|forecast|review|critique|interpret|break down|spell|remember|send|"
    r"substitute|swap|use|say|print|sort|extract|what(?:'s|'re)?|how|why|which|who(?:'s)?|where|"
    r"when "
    r"(?:was|did|is|were)|can you|could you|would you|should i|do you|did|does|is there|are "
    r"there)\b"
)
_OF_A_MODEL = re.compile(
    r"\b(?:sentiment|synonyms?|antonyms?|palindrome|emoji(?:s|code)?|haiku|poem|limerick|sonnet|"
    r"essay|"
    r"slogan|riddle|joke|short story|lyrics|translate (?:this|the|into)|translation|(?:to|into|in) "
    r"(?:"
    r"base ?64|morse|caesar|rot13|french|spanish|german|chinese|latin|japanese|russian|italian|pig "
    r"latin|reverse)|base ?64|reverse the (?:text|words|order)|next (?:word|number) in|grammatical|"
    r"spell(?:ing)? (?:check|the)|rewrite (?:the|this)|paraphrase|summari[sz]e (?:the|this)|(?:the|"
    r"this"
    r"|your) (?:above|following|given|preceding) (?:text|passage|content|article|email|document|"
    r"sentence|table|code)|(?:python|javascript|bash) (?:code|script|function)|keylogger|malware|"
    r"phishing|tip (?:about|on|for|to)|promot(?:e|ing) (?:the|our|a)|advert|(?:for|tell|give|show|"
    r"help|"
    r"teach|write) me\b|in (?:two|three|one|\d+) (?:sentences?|words|lines))\b"
)
_ABOUT_YOUR_THINGS = re.compile(
    r"\b(?:your (?:pin|password|order|account|card|device|router|receipt|data|phone|project|app|"
    r"parcel|return|refund|name|browser|settings|dashboard))\b"
)
PLAIN, OF_A_MODEL, STRAY_SCORE = 0.12, 0.45, 0.5
_BY_CHANCE = 6
_STRAY_WORDS = 15
"""A text needs this many different words before a sentence can be stray in it."""


def task_score(low: str) -> float:
    """How much a sentence in lower case sets a task or asks a question, 0..0.45."""
    if not _VERB.match(low):
        return chinese_task_score(low)
    score = OF_A_MODEL if _OF_A_MODEL.search(low) else PLAIN
    return max(0.05, score - (0.1 if _ABOUT_YOUR_THINGS.search(low) else 0.0))


def words_seen(spans: Sequence[Span]) -> Counter[str]:
    """In how many sentences each content word stands."""
    return Counter(word for span in spans for word in set(content_words(span.text)))


def is_stray(span: Span, text: str, seen: Counter[str]) -> bool:
    """Whether a sentence shares no word with the rest of a text that is long enough to tell."""
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    if "#" in line:
        return False
    own = set(content_words(span.text))
    shared = sum(1 for word in own if seen[word] > 1)
    # A pair of Chinese characters is less than a word: one of many is shared by chance.
    least = len(own) // _BY_CHANCE if is_chinese(span.text) else 0
    return len(own) >= 3 and len(seen) >= _STRAY_WORDS and shared <= least
