"""Settings: who may do and read what, how every part is doing, and what it is set to."""

from __future__ import annotations

import streamlit as st

from core.identity.admin import Health
from core.models.access import AclPolicy, User
from pages.components.cards import table, tag
from pages.components.untrusted import Html, Piece, el, join, show
from pages.components.words import count, spoken
from pages.settings import person, values
from pages.shell import guard, session
from pages.shell.office import SettingsDesk

_VIEWS = ("People", "Who can see what", "Access policies", "Doctor", "Settings")
_DOCTOR = "doctor"
_KEEP_SECONDS = 60


def render(desk: SettingsDesk) -> None:
    """One view at a time; ``?user=`` opens a person."""
    view = st.segmented_control(
        "View",
        _VIEWS,
        default=_VIEWS[0],
        key="view",
        label_visibility="collapsed",
        bind="query-params",
    )
    if view == "Who can see what":
        person.simulator(desk)
    elif view == "Access policies":
        _policies(desk.acl_policies())
    elif view == "Doctor":
        _doctor(desk)
    elif view == "Settings":
        show(values.drawn(desk.settings(), desk.gate_policy()))
    else:
        _people(desk)


def _people(desk: SettingsDesk) -> None:
    users = desk.users()
    if not users:
        show(
            el(
                "div",
                el("div", "Nobody is known here yet", cls="big"),
                el("div", "Run `countersign demo` for the demo people."),
                cls="cs-empty",
            )
        )
        return
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        show(_summary(users))
        show(_table(users))
    with right:
        person.change(desk, users)


def _summary(users: tuple[User, ...]) -> Html:
    active = sum(user.active for user in users)
    off = len(users) - active
    return el(
        "div",
        tag(f"{count(active, 'person', 'people')} may sign in", "good"),
        tag(f"{off} switched off") if off else None,
    )


def _table(users: tuple[User, ...]) -> Html:
    return table(
        ("Id", "Name", "Roles", "Department", "Level", "Signs in"), (_user(u) for u in users)
    )


def _user(user: User) -> tuple[Piece, ...]:
    may = el("span", "✔ yes", cls="cs-good") if user.active else el("span", "✖ no", cls="cs-soft")
    return (
        el("span", user.user_id, cls="cs-code"),
        user.name,
        join(tag(spoken(role)) for role in user.roles),
        user.department,
        user.permission_level,
        may,
    )


def _policies(policies: tuple[AclPolicy, ...]) -> None:
    show(
        el(
            "div",
            "A document carries one policy. Whoever it names by role or department may read it, as "
            "far as their role reaches the document's classification. Nobody else.",
            cls="cs-soft",
        )
    )
    show(
        table(
            ("Policy", "What it is for", "Roles", "Departments"),
            (
                (
                    el("span", policy.policy_id, cls="cs-code"),
                    policy.description,
                    tag("everyone", "accent")
                    if policy.everyone
                    else join(tag(spoken(role)) for role in policy.roles),
                    join(tag(name) for name in policy.departments),
                )
                for policy in policies
            ),
        )
    )


def _doctor(desk: SettingsDesk) -> None:
    parts = _looked_at(desk)
    ill = [part for part in parts if not part.ok]
    with st.container(horizontal=True, vertical_alignment="center"):
        show(
            el(
                "div",
                el(
                    "b",
                    f"✖ {count(len(ill), 'part needs', 'parts need')} attention",
                    cls="cs-bad",
                )
                if ill
                else el("b", f"✔ All {len(parts)} parts work", cls="cs-good"),
                cls="cs-chain bad" if ill else "cs-chain good",
            )
        )
        st.button("Look again", key="look-again", icon=":material/refresh:", on_click=_forget)
    show(join(_part(part) for part in (*ill, *(p for p in parts if p.ok))))


def _part(part: Health) -> Html:
    return el(
        "div",
        el("b", "✔ works" if part.ok else "✖ look", cls="cs-good" if part.ok else "cs-bad"),
        el("span", part.name, cls="cs-src"),
        el("span", part.words),
        cls="cs-part",
    )


def _looked_at(desk: SettingsDesk) -> tuple[Health, ...]:
    """As found in this session within the last minute: it reads the whole chain."""
    held = st.session_state.get(_DOCTOR)
    now = session.now().timestamp()
    if held and now - held["at"] < _KEEP_SECONDS:
        return tuple(Health.model_validate(part) for part in held["parts"])
    with st.spinner("Looking at every part …"):
        parts = desk.doctor()
    st.session_state[_DOCTOR] = {"at": now, "parts": [part.model_dump() for part in parts]}
    return parts


def _forget() -> None:
    st.session_state.pop(_DOCTOR, None)


if __name__ == "__main__":
    guard.open_page("settings", session.settings_desk, render)
