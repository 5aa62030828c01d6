"""What administrators see and change: people, rights, and whether every part works.

Rights are shown as the pipeline derives them, by the same function. A source that the
administrator may not read is not listed, whoever's rights are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pydantic import ValidationError

from core.errors import BadInput, CountersignError, NotAllowed, NotFound, StaleVersion
from core.identity.access import may_read
from core.identity.store import ListedSource, PolicyAdmin, SourceList
from core.models.access import AclPolicy, Role, SecurityContext, User
from core.models.base import Model
from core.models.gate_policy import GatePolicy
from core.models.source import Governance
from core.stages.authorise import authorise

Part = tuple[bool, str]
"""Whether a part works, and its state in words."""


class Health(Model):
    """One part of the console as the doctor found it."""

    name: str
    ok: bool
    words: str


class Readable(Model):
    """A document version and whether somebody may read it, with what decides it."""

    document_id: str
    source_id: str
    title: str
    version: str
    status: str
    readable: bool
    why: str


class Rights(Model):
    """Somebody's rights and the sources they open. ``user`` is ``None`` for a guest."""

    user: User | None
    context: SecurityContext
    sources: tuple[Readable, ...]


class SettingsDesk:
    """The settings of one administrator. Raises ``NotAllowed`` for everybody else.

    ``shown`` are the settings as text, secrets redacted. ``parts`` look at one part each when the
    doctor is called; what they raise is a part that does not work. ``gate_policy`` gives the gate
    policy in force.
    """

    def __init__(
        self,
        *,
        user: User,
        context: SecurityContext,
        policies: PolicyAdmin,
        sources: SourceList,
        shown: Mapping[str, str],
        parts: Mapping[str, Callable[[], Part]],
        gate_policy: Callable[[], GatePolicy | None] = lambda: None,
    ) -> None:
        if "administer" not in context.actions:
            raise NotAllowed("The settings are for administrators.")
        self.user, self._context = user, context
        self._policies, self._sources = policies, sources
        self._shown, self._parts = dict(shown), dict(parts)
        self._gate_policy = gate_policy

    def settings(self) -> dict[str, str]:
        """Every setting as text, secrets redacted."""
        return dict(self._shown)

    def gate_policy(self) -> GatePolicy | None:
        """The gate policy in force; ``None`` while the settings' thresholds are."""
        return self._gate_policy()

    def doctor(self) -> tuple[Health, ...]:
        """Look at every part. Opens models and reads the whole audit chain: seconds, not more."""
        return tuple(_look_at(name, look) for name, look in self._parts.items())

    def users(self) -> tuple[User, ...]:
        """Everybody of this company, active or not."""
        return self._policies.users(self._context.tenant_id)

    def acl_policies(self) -> tuple[AclPolicy, ...]:
        """Who may read what carries which policy."""
        return self._policies.acl_policies(self._context.tenant_id)

    def rights_of(self, user_id: str | None) -> Rights:
        """The rights of a user, active or not, or of a guest (``None``), as they are now."""
        user = None if user_id is None else self._stored(user_id)
        context = self.would_be(user)
        listed = self._sources.list_sources(self._context.tenant_id)
        return Rights(
            user=user,
            context=context,
            sources=tuple(
                _readable(source, context)
                for source in listed
                if not source.withdrawn
                and may_read(self._context, source.tenant_id, source.governance)
            ),
        )

    def would_be(self, user: User | None) -> SecurityContext:
        """The rights this user would have if stored so. Nothing is changed."""
        tenant = self._context.tenant_id
        return authorise(user, self._policies.acl_policies(tenant), tenant_id=tenant)

    def change_user(
        self, before: User, *, roles: Sequence[Role], active: bool, reason: str
    ) -> User:
        """Give ``before`` (the user as it was read) other roles, or switch it on or off.

        The change, its reason and its audit event are one transaction; it holds from the person's
        next click. Raises ``BadInput`` without a reason, a known role or a difference;
        ``NotAllowed`` for one's own rights, or when those are no longer what they were;
        ``NotFound`` for another company's user; ``StaleVersion`` when the user was changed
        meanwhile.
        """
        wanted = {"roles": tuple(dict.fromkeys(roles)), "active": active}
        try:
            after = User.model_validate({**before.model_dump(), **wanted})
        except ValidationError as error:
            raise BadInput(f"Not every one of these is a role: {', '.join(roles)}.") from error
        self._refuse(before, after, reason)

        def check(stored: Sequence[User]) -> None:
            if before not in stored:
                raise StaleVersion(f"{before.name} was changed meanwhile, or is gone.")
            # Nobody changes themselves, so whoever may do this stays: an administrator is left.
            if self.user not in stored:
                raise NotAllowed("Your own rights were changed meanwhile. Reload the page.")

        self._policies.put_user(after, actor=self.user.user_id, reason=reason.strip(), check=check)
        return after

    def _refuse(self, before: User, after: User, reason: str) -> None:
        if not reason.strip():
            raise BadInput("Say why the rights change; the audit keeps it.")
        if not after.roles:
            raise BadInput("Choose at least one role, or switch the person off instead.")
        if before.tenant_id != self._context.tenant_id:
            raise NotFound(f"There is no user {before.user_id!r}.")
        if before.user_id == self.user.user_id:
            raise NotAllowed("Your own rights are changed by another administrator.")
        if after == before:
            raise BadInput("That is how it is already.")

    def _stored(self, user_id: str) -> User:
        user = self._policies.user(user_id)
        if user is None or user.tenant_id != self._context.tenant_id:
            raise NotFound(f"There is no user {user_id!r}.")
        return user


def _look_at(name: str, look: Callable[[], Part]) -> Health:
    try:
        ok, words = look()
    except (CountersignError, OSError, RuntimeError, ValueError) as error:
        ok, words = False, str(error)
    return Health(name=name, ok=ok, words=words)


def _readable(source: ListedSource, context: SecurityContext) -> Readable:
    governance = source.governance
    readable = may_read(context, source.tenant_id, governance)
    return Readable(
        document_id=source.document_id,
        source_id=source.source_id,
        title=source.title,
        version=governance.version,
        status=governance.status,
        readable=readable,
        why=_why(governance, context, readable=readable),
    )


def _why(governance: Governance, context: SecurityContext, *, readable: bool) -> str:
    if readable:
        return f"policy {governance.acl_policy_id}, {governance.classification}"
    if governance.acl_policy_id not in context.allowed_acl_policy_ids:
        return f"the policy {governance.acl_policy_id} does not let them in"
    if governance.classification not in context.allowed_classifications:
        return f"{governance.classification} documents are above their role"
    return "a rule of their rights shuts it out"
