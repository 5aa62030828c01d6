"""Who somebody is, and the rights that follow. Rights come from the policy store alone."""

from __future__ import annotations

from core.errors import NotAllowed, NotFound
from core.models.access import SecurityContext, User
from core.ports import PolicyStore
from core.stages.authorise import authorise


class Identity:
    """Looks people up in one tenant. Stateless; a change of rights holds from the next call."""

    def __init__(self, policies: PolicyStore, *, tenant_id: str = "athena") -> None:
        self._policies = policies
        self._tenant_id = tenant_id

    def sign_in_choices(self) -> tuple[User, ...]:
        """Active users, for the demo's sign-in list; whether it may be shown is the console's."""
        return tuple(user for user in self._policies.users(self._tenant_id) if user.active)

    def user(self, user_id: str) -> User:
        """An active user of this tenant.

        Raises ``NotFound`` for an unknown id, ``NotAllowed`` when that person may not sign in.
        """
        found = self._policies.user(user_id)
        if found is None or found.tenant_id != self._tenant_id:
            raise NotFound(f"There is no user {user_id!r}.")
        if not found.active:
            raise NotAllowed(f"{found.name} may not sign in any more. Ask an administrator.")
        return found

    def context_of(self, user_id: str | None) -> SecurityContext:
        """The rights of a user as they are now; ``None`` is the least privileged guest."""
        user = None if user_id is None else self.user(user_id)
        policies = self._policies.acl_policies(self._tenant_id)
        return authorise(user, policies, tenant_id=self._tenant_id)
