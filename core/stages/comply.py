"""Stage: may this exact text go to this reader in this form. Runs last, and again at send time.

What each permission tag allows is one table (``RULES``). Nothing here rewrites wording: sentences
that may not go are taken out, personal data is masked, and a DENY leaves one fixed sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from core.models.access import SecurityContext
from core.models.compliance import (
    STANDARD_DENIAL,
    AuditTrailEntry,
    ComplianceDecision,
    ComplianceVerdict,
    Redaction,
)
from core.models.evidence import Evidence
from core.models.request import OutputForm
from core.text.outbound import guard
from core.text.quoting import quoted_sentences
from core.text.redact import PiiMatch, find_pii

Recipient = Literal["customer", "colleague", "public"]
Rule = Literal["allow", "mask", "no_quote", "deny", "by_rights"]

RULES: dict[str, dict[Recipient, Rule]] = {
    # tag family: what its content may do for each reader
    "PUBLIC": {"customer": "allow", "colleague": "allow", "public": "allow"},
    # May stand behind an answer; its wording stays inside.
    "INTERNAL_ONLY": {"customer": "no_quote", "colleague": "allow", "public": "no_quote"},
    "CONFIDENTIAL": {"customer": "deny", "colleague": "by_rights", "public": "deny"},
    # The reader's own record is theirs to read, in private.
    "PERSONAL_DATA_PII": {"customer": "allow", "colleague": "allow", "public": "mask"},
}
UNKNOWN_TAG: dict[Recipient, Rule] = {
    "customer": "deny",
    "colleague": "by_rights",
    "public": "deny",
}
ALWAYS_MASKED = frozenset({"card", "iban", "ssn", "cn_id"})
"""Never leave in full, not even to their owner."""
PERSONAL_FIELDS = ("name", "email", "phone", "address", "customer_id", "postcode", "city", "street")


class _Finding(NamedTuple):
    """``quote`` must become ``rewrite``; ``label`` is the citation or kind of data it is about."""

    label: str
    quote: str
    why: str
    rewrite: str

    def redaction(self) -> Redaction:
        return Redaction(
            citation_id=self.label,
            why_must_remove_or_mask=self.why,
            recommended_masked_rewrite=self.rewrite,
        )


class _Reading(NamedTuple):
    """One text on its way to one reader: what it leans on, and who asked when."""

    used: tuple[Evidence, ...]
    context: SecurityContext
    reader: Recipient
    customer_id: str | None
    query_id: str
    now: datetime


def comply(
    text: str,
    *,
    used: Sequence[Evidence],
    context: SecurityContext,
    output_form: OutputForm,
    recipient: Recipient,
    query_id: str,
    now: datetime,
    customer_id: str | None = None,
) -> ComplianceDecision:
    """Decides over ``text`` as it would leave. ``used`` is the evidence it leans on.

    ``customer_id`` names the reader when known: somebody else's record then counts as
    confidential. A public post is read by the public whoever it is addressed to.
    """
    reader: Recipient = "public" if output_form == "public_post" else recipient
    reading = _Reading(tuple(used), context, reader, customer_id, query_id, now)
    refused = [item for item in used if _rule(item, reading) == "deny"]
    if refused:
        why = "The text leans on sources this reader may not know of."
        return _denied(why, reading, contact=_contact(refused))
    findings = [*_internal_wording(text, reading), *_personal_data(text, reading)]
    final = _enforced(text, findings)
    if findings and not final.strip():
        why = "Nothing is left once what may not leave is taken out."
        return _denied(why, reading, contact=_contact(used))
    if not findings:
        why = "Every source may be read by this reader."
        return _decision("ALLOW", why, (), final, reading, guards=guard(final, reader))
    return _decision(
        "PARTIAL_ALLOW_NEED_REDACTION",
        f"{len(findings)} passage(s) removed or masked for this reader.",
        tuple(finding.redaction() for finding in findings),
        final,
        reading,
        contact=_contact(used),
        guards=guard(final, reader),
    )


def _rule(item: Evidence, reading: _Reading) -> Rule:
    candidate, reader = item.candidate, reading.reader
    tag = candidate.permission_tag
    family = "CONFIDENTIAL" if tag.startswith("CONFIDENTIAL") else tag
    rule = RULES.get(family, UNKNOWN_TAG)[reader]
    if candidate.classification in ("confidential", "restricted") and reader != "colleague":
        own = tag == "PERSONAL_DATA_PII"
        rule = rule if own else "deny"
    if tag == "PERSONAL_DATA_PII" and reader == "customer" and _foreign(item, reading.customer_id):
        rule = "deny"
    if rule == "by_rights":
        rights = reading.context
        readable = candidate.classification in rights.allowed_classifications
        granted = candidate.acl_policy_id in rights.allowed_acl_policy_ids
        rule = "allow" if readable and granted else "deny"
    return rule


def _foreign(item: Evidence, customer_id: str | None) -> bool:
    holder = item.candidate.metadata.get("customer_id")
    return bool(customer_id and holder and holder != customer_id)


def _internal_wording(text: str, reading: _Reading) -> list[_Finding]:
    inside: list[Evidence] = []
    outside: list[Evidence] = []
    for item in reading.used:
        hidden = _rule(item, reading) == "no_quote"
        (inside if hidden else outside).append(item)
    open_texts = tuple(item.candidate.text for item in outside)
    return [
        _Finding(
            item.evidence_id,
            sentence,
            "repeats the wording of a source that stays inside the company",
            "",
        )
        for item in inside
        for sentence in quoted_sentences(text, item.candidate.text, unless_in=open_texts)
    ]


def _personal_data(text: str, reading: _Reading) -> list[_Finding]:
    used, reader = reading.used, reading.reader
    published = [e.candidate.text for e in used if e.candidate.permission_tag == "PUBLIC"]
    records = [e for e in used if e.candidate.permission_tag == "PERSONAL_DATA_PII"]
    own = [e.candidate.text + " " + " ".join(e.candidate.metadata.values()) for e in records]
    allowed = published + (own if reader == "customer" else [])
    findings = [
        _Finding(
            match.kind,
            match.text,
            f"personal data ({match.kind}) this reader may not get here",
            masked(match),
        )
        for match in find_pii(text)
        if _must_mask(match, reader, allowed)
    ]
    for item in records:
        if _rule(item, reading) == "mask":
            findings += _masked_fields(text, item)
    return list({f.quote: f for f in findings}.values())


def _must_mask(match: PiiMatch, reader: Recipient, allowed: Sequence[str]) -> bool:
    if match.kind in ALWAYS_MASKED:
        return True
    return reader != "colleague" and not any(match.text in text for text in allowed)


def _masked_fields(text: str, item: Evidence) -> list[_Finding]:
    fields = item.candidate.metadata
    return [
        _Finding(item.evidence_id, value, "personal data in a public post", "[removed]")
        for key, value in fields.items()
        if len(value) > 2 and value in text and any(p in key for p in PERSONAL_FIELDS)
    ]


def masked(match: PiiMatch) -> str:
    """``match`` with all but the last four letters and digits covered; short ones wholly."""
    solid = [i for i, char in enumerate(match.text) if char.isalnum()]
    covered = set(solid[:-4] if len(solid) >= 12 else solid)
    return "".join("•" if i in covered else char for i, char in enumerate(match.text))


def _enforced(text: str, findings: Sequence[_Finding]) -> str:
    for finding in findings:
        text = text.replace(finding.quote, finding.rewrite)
    if not findings:
        return text
    lines = [" ".join(line.split(" ")).rstrip() for line in text.split("\n")]
    return "\n".join(line for i, line in enumerate(lines) if line or (i and lines[i - 1])).strip()


def _contact(items: Sequence[Evidence]) -> str:
    return next((item.candidate.owner for item in items if item.candidate.owner), "supervisor")


def _denied(reason: str, reading: _Reading, *, contact: str) -> ComplianceDecision:
    return _decision("DENY", reason, (), STANDARD_DENIAL, reading, contact=contact)


def _decision(
    verdict: ComplianceVerdict,
    reason: str,
    redactions: tuple[Redaction, ...],
    final: str,
    reading: _Reading,
    *,
    contact: str = "",
    guards: tuple[str, ...] = (),
) -> ComplianceDecision:
    tags = tuple(dict.fromkeys(e.candidate.permission_tag for e in reading.used))
    return ComplianceDecision(
        decision=verdict,
        reason=reason,
        recipient=reading.reader,
        if_partial_allow_redaction_list=redactions,
        final_answer_text_after_enforcement=final,
        audit_trail_entry=AuditTrailEntry(
            timestamp=reading.now,
            query_id=reading.query_id,
            user_id=reading.context.user_id,
            decision=verdict,
            permission_tags_involved=tags,
            redactions_count=len(redactions),
            escalation_contact_if_user_appeals=contact,
        ),
        guard_findings=guards,
    )
