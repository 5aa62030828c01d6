"""What publishing a draft would do, for one person's rights: decided the same way on the screen,
when it is asked for, and once more by the worker that does it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import NamedTuple

from core.errors import BadSource
from core.identity.access import answers_for, may_read
from core.knowledge import present
from core.knowledge.store import SourceCatalog
from core.knowledge.upload_form import Asker, values_of
from core.knowledge.upload_match import Known, chosen_of, suggestions_of
from core.knowledge.upload_models import NEW_SOURCE, DraftState, FullDraft, UploadDraft
from core.knowledge.upload_problems import governance_of, problems_of
from core.knowledge.upload_store import Publication
from core.knowledge.upload_views import Problem, SourceOption
from core.knowledge.views import SourceListing
from core.models.source import DocumentVersion, Governance
from core.sources.version import content_hash

_NO_ID = re.compile(r"[^\w.@/-]+")

TextOf = Callable[[str], str | None]
"""The text of a stored version."""


class Plan(NamedTuple):
    """``before`` is the version in force that publishing replaces; ``known`` its last one."""

    draft: UploadDraft
    suggestions: tuple[SourceOption, ...]
    chosen: str
    known: SourceListing | None
    before: SourceListing | None
    values: Mapping[str, str]
    origins: Mapping[str, str]
    problems: tuple[Problem, ...]
    identical: bool

    @property
    def blocking(self) -> tuple[Problem, ...]:
        """What keeps it from being published."""
        return tuple(problem for problem in self.problems if problem.blocking)

    @property
    def state(self) -> DraftState:
        """What a draft with this plan waits for."""
        return "needs_metadata" if self.blocking else "ready"

    @property
    def replaces(self) -> SourceListing | None:
        """The version that gives way, if any: a draft version replaces nothing."""
        return self.before if self.values["status"] == "active" else None


def readable(registry: SourceCatalog, asker: Asker) -> Known:
    """The sources the person may open."""
    context = asker.context
    return Known(
        v
        for v in registry.list_sources(context.tenant_id)
        if may_read(context, v.tenant_id, v.governance)
    )


def plan_of(full: FullDraft, asker: Asker, sources: Known, text_of: TextOf) -> Plan:
    """What publishing would do, and everything that stands against it."""
    today = date.fromisoformat(asker.today)
    suggestions = suggestions_of(full.draft, sources, today)
    chosen = chosen_of(full.draft, suggestions, sources)
    held = sources.versions(chosen)
    known = present.shown_version(held, today) if held else None
    before = present.in_force(held, today) if held else None
    values, origins = values_of(full.draft, asker, known.governance if known else None)
    identical = _identical(full, before, text_of)
    problems = problems_of(values, asker)
    if known is not None:
        problems += _against(known, held, before, values, asker)
    if identical:
        problems += (_NOTHING_TO_DO,)
    return Plan(
        full.draft, suggestions, chosen, known, before, values, origins, problems, identical
    )


_NOTHING_TO_DO = Problem(
    field="",
    reason="it is already published as it stands; there is nothing to do",
    fix="discard it, or choose another source if it is not meant for this one",
)


def _against(
    known: SourceListing,
    held: tuple[SourceListing, ...],
    before: SourceListing | None,
    values: Mapping[str, str],
    asker: Asker,
) -> tuple[Problem, ...]:
    """What the known source has against another version of it."""
    problems = []
    if not _may_change(asker, known.governance):
        problems.append(
            Problem(
                field="source",
                reason=f"{known.title} belongs to {known.governance.owner}",
                fix="ask them to publish it, or choose another source",
            )
        )
    if any(v.governance.version == values["version"] and not v.withdrawn for v in held):
        problems.append(
            Problem(
                field="version",
                reason=f"there is a version {values['version']} already",
                fix="give it a number of its own",
            )
        )
    if before is not None and values["status"] == "active" and values["valid_from"] < asker.today:
        problems.append(
            Problem(
                field="valid_from",
                reason="the version before holds up to today",
                fix="choose today or a later day",
            )
        )
    return tuple(problems)


def _may_change(asker: Asker, governance: Governance) -> bool:
    actions = asker.context.actions
    if "supervise" in actions or "administer" in actions:
        return True
    return "own_knowledge" in actions and answers_for(asker.user, governance.owner)


def _identical(full: FullDraft, before: SourceListing | None, text_of: TextOf) -> bool:
    """The same text, and nothing the file or the person says that does not hold already."""
    if before is None or not same_words(text_of(before.document_id), full.version.text):
        return False
    draft = full.draft
    said = {**draft.stated, **draft.edited}
    said = {name: value for name, value in said.items() if name != "supersedes"}
    now = {**_as_said(before), "title": before.title}
    return all(now.get(name, value) == value for name, value in said.items())


def same_words(before: str | None, after: str) -> bool:
    """Whether two texts differ in nothing but space."""
    return before is not None and before.split() == after.split()


def _as_said(before: SourceListing) -> dict[str, str]:
    return {
        name: ("yes" if value else "no") if isinstance(value, bool) else str(value or "")
        for name, value in before.governance.model_dump(mode="json").items()
    }


def publication_of(
    full: FullDraft, plan: Plan, asker: Asker, registry: SourceCatalog
) -> Publication:
    """The version to store, and what it replaces. Raises ``BadSource``."""
    owner = asker.user.user_id
    governance = governance_of(plan.values, item=full.draft.item, owner=owner)
    replaces = plan.replaces
    if replaces is not None:
        governance = governance.model_copy(update={"supersedes": replaces.document_id})
    if replaces is not None and governance.valid_from is None:
        raise BadSource(full.draft.item, "it does not say from when it holds", "name a day")
    source_id, document_id = _ids(full, plan, registry)
    version = full.version.model_copy(
        update={
            "document_id": document_id,
            "source_id": source_id,
            "title": plan.values["title"].strip(),
            "governance": governance,
        }
    )
    hashed = version.model_copy(update={"content_hash": content_hash(version)})
    return Publication(
        draft=full.draft,
        version=hashed,
        replaces=replaces.document_id if replaces else "",
        on=governance.valid_from if replaces else None,
    )


def _ids(full: FullDraft, plan: Plan, registry: SourceCatalog) -> tuple[str, str]:
    """The ids the file gives where they are free; else ids of its own, telling nobody why."""
    draft = full.draft
    mark = draft.upload_id[-6:].lower()
    source_id = plan.chosen
    if source_id == NEW_SOURCE:
        source_id = draft.named_source or _slug(plan.values["title"])
        if registry.versions_of(source_id):
            source_id = f"{source_id}-{mark}"
    document_id = draft.named_id or source_id
    if registry.get(document_id) is not None:
        document_id = f"{source_id}@{_slug(plan.values['version'])}"
    if registry.get(document_id) is not None:
        document_id = f"{document_id}-{mark}"
    return source_id, document_id


def _slug(words: str) -> str:
    return _NO_ID.sub("-", words.strip()).strip("-").lower() or "upload"


def texts(registry: SourceCatalog) -> TextOf:
    """Looks the text of a stored version up."""

    def text_of(document_id: str) -> str | None:
        found: DocumentVersion | None = registry.get(document_id)
        return found.text if found else None

    return text_of
