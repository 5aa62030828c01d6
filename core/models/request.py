"""What a person asked, before and after normalising."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal

from core.models.base import Model

Channel = Literal["web", "api", "slack", "email", "batch"]
RiskLevel = Literal["low", "medium", "high"]
OutputForm = Literal["chat_reply", "email", "public_post", "pdf"]
Language = Literal["en", "zh", "other"]
IdentifierKind = Literal["order", "case", "customer", "email", "sku"]


class Turn(Model):
    """One earlier message of the conversation, oldest first. ``role`` is who spoke.

    ``said_on`` is the day it was written, where that is known.
    """

    role: Literal["customer", "agent"]
    text: str
    said_on: date | None = None


class UserRequest(Model):
    """One run of the pipeline for a case or a free question. The text is untrusted."""

    request_id: str
    tenant_id: str
    user_id: str
    user_roles: tuple[str, ...] = ()
    raw_query: str
    conversation_id: str | None = None
    history: tuple[Turn, ...] = ()
    locale: str = "en"
    channel: Channel = "web"
    risk_level: RiskLevel = "low"
    case_id: str | None = None
    customer_id: str | None = None
    customer_name: str | None = None
    output_form: OutputForm = "chat_reply"
    asked_on: date | None = None
    """The day to answer as of (``--at``); ``None`` means the clock's today."""
    said_on: date | None = None
    """The day the question was written, from which "yesterday" counts; ``None`` means the day
    answered as of."""


class ExtractedIdentifier(Model):
    """A record identifier found in the text. ``value`` is canonical (upper case, no ``#``)."""

    kind: IdentifierKind
    value: str
    text: str


class ExtractedDate(Model):
    """A date or month named in the text, as the closed interval it covers."""

    text: str
    start: date
    end: date


class ExtractedAmount(Model):
    """A sum, share or count of points named in the text; ``upper`` where it names a range.

    ``unit`` is a currency (``USD``), ``percent`` or ``point``.
    """

    text: str
    value: Decimal
    upper: Decimal | None = None
    unit: str


class NormalizedInput(Model):
    """The cleaned question. ``raw_query`` is kept untouched.

    ``normalized_query`` expands intent and never loses the question; ``standalone_query`` is the
    question made self-standing from the history (equal to the cleaned question without one).
    """

    raw_query: str
    normalized_query: str
    standalone_query: str
    detected_language: Language
    extracted_identifiers: tuple[ExtractedIdentifier, ...] = ()
    extracted_dates: tuple[ExtractedDate, ...] = ()
    extracted_amounts: tuple[ExtractedAmount, ...] = ()
    possible_prompt_injection: bool = False
