"""The company's own glossary: which words say the same here, kept as one governed document.

It is a document like any other (owner, versions, audit, rights), written as one thing a line, its
ways to be said parted by ``=``; so a change is taken in by the same door as every document. Other
documents titled "Glossary" count beside it, each for whom it may be shown. The file it is taken in
from stays in the home, where it can be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import BadInput, NotAllowed, NotFound
from core.identity.access import answers_for
from core.knowledge.company_words import CompanyWords
from core.knowledge.store import SourceCatalog
from core.knowledge.upload_look import may_upload
from core.models.access import SecurityContext, User
from core.models.source import DocumentVersion, Governance, IngestReport
from core.models.words import OtherWords
from core.ports import Clock
from core.text.abbreviations import glossary_lines

_LONGEST = 60
_TITLE = "Company glossary"
_INTRO = "Words that say the same here, one thing a line, its names parted by an equals sign."

TakeIn = Callable[[Path, str], IngestReport]
"""Takes a file in, on behalf of a user."""


class GlossaryDesk:
    """The glossary for one user. Raises ``NotAllowed`` for changes by people who own no sources."""

    def __init__(
        self,
        *,
        user: User,
        context: SecurityContext,
        words: CompanyWords,
        registry: SourceCatalog,
        file: Path,
        take_in: TakeIn,
        clock: Clock,
    ) -> None:
        self.user, self._context = user, context
        self._words, self._registry = words, registry
        self._file, self._take_in, self._clock = file, take_in, clock
        self.document_id = f"{user.tenant_id}-glossary"

    def shown(self) -> tuple[OtherWords, ...]:
        """Every group this user may learn of, glossaries first, then what documents explain."""
        return self._words.all_for(self._context, self._clock.now().date())

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The groups of the company's own glossary, as far as the user may read it."""
        document = self._registry.live([self.document_id]).get(self.document_id)
        return glossary_lines(document.text) if document else ()

    def put(self, words: Sequence[str], *, reason: str) -> tuple[tuple[str, ...], ...]:
        """Say that ``words`` mean the same; a group that shares one of them gives way.

        Raises ``BadInput`` for fewer than two words or without a reason; nothing changes then.
        """
        group = _checked(words)
        names = {word.casefold() for word in group}
        kept = [g for g in self.groups() if not names & {word.casefold() for word in g}]
        return self._save((*kept, group), reason)

    def forget(self, word: str, *, reason: str) -> tuple[tuple[str, ...], ...]:
        """Take the group that has ``word`` out. Raises ``NotFound`` when none has it."""
        wanted, groups = word.strip().casefold(), self.groups()
        kept = tuple(g for g in groups if wanted not in {w.casefold() for w in g})
        if len(kept) == len(groups):
            raise NotFound(f"The glossary has no {word!r}; `countersign policy glossary show`.")
        return self._save(kept, reason)

    def _save(self, groups: Sequence[tuple[str, ...]], reason: str) -> tuple[tuple[str, ...], ...]:
        if not reason.strip():
            raise BadInput("Say why the glossary changes.")
        known = self._registry.get(self.document_id)
        self._check_rights(known)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(self._written(groups, known), encoding="utf-8")
        failed = self._take_in(self._file, self.user.user_id).failed
        if failed:
            raise BadInput(f"The glossary was not taken in: {failed[0].reason}")
        self._registry.mark_reviewed(
            self.document_id,
            on=self._clock.now().date(),
            note=reason.strip(),
            actor=self.user.user_id,
        )
        return self.groups()

    def _check_rights(self, known: DocumentVersion | None) -> None:
        if not may_upload(self._context):
            raise NotAllowed("Only knowledge owners and supervisors change the glossary.")
        over = "supervise" in self._context.actions
        if known is not None and not over and not answers_for(self.user, known.governance.owner):
            raise NotAllowed(f"The glossary belongs to {known.governance.owner}; ask them.")

    def _written(self, groups: Sequence[tuple[str, ...]], known: DocumentVersion | None) -> str:
        """The glossary as a document; of an older one the governance stays, the number goes up."""
        rules = known.governance if known else self._first_rules()
        number = int(rules.version) + 1 if known and rules.version.isdigit() else 1
        fields = {
            "id": self.document_id,
            "source": self.document_id,
            "title": _TITLE,
            "owner": rules.owner,
            "authority": rules.authority,
            "status": "active",
            "version": str(number),
            "last_reviewed": self._clock.now().date().isoformat(),
            "classification": rules.classification,
            "permission_tag": rules.permission_tag,
            "acl_policy_id": rules.acl_policy_id,
        }
        head = "\n".join(f"{name}: {json.dumps(value)}" for name, value in fields.items())
        lines = "\n".join(f"- {' = '.join(group)}" for group in groups)
        return f"---\n{head}\n---\n\n# {_TITLE}\n\n{_INTRO}\n\n{lines}\n"

    def _first_rules(self) -> Governance:
        return Governance(owner=self.user.user_id, authority="approved_procedure")


def _checked(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a group, each once. Raises ``BadInput`` for what a line could not hold."""
    plain = [" ".join(word.split()) for word in words]
    group = tuple({word.casefold(): word for word in plain if word}.values())
    if len(group) < 2:
        raise BadInput("Give at least two words that say the same.")
    for word in group:
        if len(word) > _LONGEST or "=" in word:
            raise BadInput(f"{word[:80]!r} is no word for a glossary: at most 60 characters, no =.")
    if glossary_lines(" = ".join(group)) != (group,):
        raise BadInput(
            "A word of a glossary may not begin or end in marks such as * _ ` or quotes."
        )
    return group
