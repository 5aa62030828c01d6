"""One person: what they may do and read, and a change of it with its before and after."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from core.errors import CountersignError
from core.identity.admin import Readable, Rights
from core.models.access import Role, SecurityContext, User
from pages.components.cards import source_address, table, tag
from pages.components.notices import attempt, show_error
from pages.components.untrusted import Html, Piece, el, join, show
from pages.components.words import count, spoken
from pages.shell.office import SettingsDesk

_GUEST = "guest"
_ROLES: tuple[Role, ...] = tuple(role for role in get_args(Role) if role != _GUEST)
_ACTIONS = {
    "ask": "ask questions",
    "review": "review drafts",
    "send": "send replies",
    "own_knowledge": "own knowledge",
    "supervise": "supervise",
    "take_over_lease": "take over a colleague's case",
    "administer": "administer",
}


def change(desk: SettingsDesk, users: tuple[User, ...]) -> None:
    """Roles and sign-in of one person, with the reason, and what it would change."""
    named = {user.user_id: user for user in users}
    ids = list(named)
    show(el("div", "Change a person's rights", cls="cs-cap"))
    chosen = st.selectbox(
        "Person",
        ids,
        index=ids.index(asked) if (asked := st.query_params.get("user")) in named else None,
        key="user",
        on_change=_remember,
        args=("user",),
        format_func=lambda user_id: f"{named[user_id].name} ({user_id})",
        placeholder="Choose a person",
    )
    if chosen is None:
        show(
            el(
                "div",
                "Choose a person. A change needs a reason, is kept in the audit with its before "
                "and after, and holds from their next click.",
                cls="cs-soft",
            )
        )
        return
    user = named[chosen]
    roles = st.multiselect(
        "Roles", _ROLES, default=list(user.roles), key=f"roles-{chosen}", format_func=spoken
    )
    active = st.toggle("May sign in", value=user.active, key=f"active-{chosen}")
    after = user.model_copy(update={"roles": tuple(roles), "active": active})
    show(_difference(user, after, desk.would_be(user), desk.would_be(after)))
    st.text_input("Reason", key=f"reason-{chosen}", placeholder="kept in the audit")
    st.button(
        "Change the rights",
        key="change",
        type="primary",
        icon=":material/save:",
        disabled=after == user,
        on_click=_change,
        args=(desk, user, tuple(roles), active),
    )


def _remember(key: str) -> None:
    """The person in the address, so that the view can be linked to."""
    chosen = st.session_state.get(key)
    if chosen:
        st.query_params["user"] = chosen
    else:
        st.query_params.pop("user", None)


def _change(desk: SettingsDesk, user: User, roles: tuple[Role, ...], active: bool) -> None:  # noqa: FBT001
    done = attempt(
        f"The rights of {user.name} are changed, from their next click on.",
        desk.change_user,
        user,
        roles=roles,
        active=active,
        reason=str(st.session_state.get(f"reason-{user.user_id}") or ""),
    )
    if done is not None:
        st.session_state[f"reason-{user.user_id}"] = ""


def _difference(before: User, after: User, old: SecurityContext, new: SecurityContext) -> Html:
    if before == after:
        return el("div", "Nothing changed yet.", cls="cs-soft")
    lines = (
        ("Roles", [spoken(r) for r in before.roles], [spoken(r) for r in after.roles]),
        ("Signs in", [_yes(before)], [_yes(after)]),
        ("May", [_ACTIONS[a] for a in old.actions], [_ACTIONS[a] for a in new.actions]),
        ("Policies", old.allowed_acl_policy_ids, new.allowed_acl_policy_ids),
        ("Reads up to", old.allowed_classifications[-1:], new.allowed_classifications[-1:]),
    )
    rows: list[tuple[Piece, ...]] = [
        (el("span", name, cls="cs-one"), ", ".join(was), _marked(was, will))
        for name, was, will in lines
        if was != will
    ]
    return table(("", "Before", "After"), rows)


def _marked(was: list[str] | tuple[str, ...], will: list[str] | tuple[str, ...]) -> Html:
    kept: list[Piece] = [word if word in was else el("ins", word) for word in will]
    gone: list[Piece] = [el("del", word) for word in was if word not in will]
    pieces = [*kept, *gone]
    return join(el("span", ", " if at else "", piece) for at, piece in enumerate(pieces))


def _yes(user: User) -> str:
    return "yes" if user.active else "no"


def simulator(desk: SettingsDesk) -> None:
    """Choose somebody; see what the pipeline would let them do and read."""
    users = {user.user_id: user for user in desk.users()}
    ids = [_GUEST, *users]
    chosen = st.selectbox(
        "See as",
        ids,
        index=ids.index(asked) if (asked := st.query_params.get("user")) in ids else 0,
        key="as",
        on_change=_remember,
        args=("as",),
        format_func=lambda i: f"{users[i].name} ({i})" if i in users else "a guest, not signed in",
        width=340,
    )
    try:
        rights = desk.rights_of(None if chosen == _GUEST else chosen)
    except CountersignError as error:
        show_error(error)
        return
    show(_rights(rights))
    _sources(rights)


def _rights(rights: Rights) -> Html:
    context = rights.context
    off = rights.user is not None and not rights.user.active
    lines: list[tuple[str, Piece]] = [
        ("Roles", join(tag(spoken(role)) for role in context.roles)),
        ("May", join(tag(_ACTIONS[action], "good") for action in context.actions)),
        ("Policies that let them in", _tags(context.allowed_acl_policy_ids, "good")),
        ("Policies that do not", _tags(context.denied_acl_policy_ids, "bad")),
        ("Classifications", _tags(context.allowed_classifications, "")),
        ("Policy version", el("span", context.policy_version, cls="cs-code")),
    ]
    return el(
        "div",
        tag("switched off: they have a guest's rights until they may sign in again", "warn")
        if off
        else None,
        table(("", ""), lines),
    )


def _tags(words: tuple[str, ...], tone: str) -> Html:
    if not words:
        return el("span", "none", cls="cs-soft")
    return join(tag(word, tone) for word in words)


def _sources(rights: Rights) -> None:
    may = [source for source in rights.sources if source.readable]
    may_not = [source for source in rights.sources if not source.readable]
    left, right = st.columns(2, gap="medium")
    with left:
        show(el("div", f"May read · {count(len(may), 'version')}", cls="cs-cap"))
        show(_list(may, "✔", "good", "Nothing."))
    with right:
        show(el("div", f"May not read · {count(len(may_not), 'version')}", cls="cs-cap"))
        show(_list(may_not, "✖", "bad", "Nothing: they may read every one of these."))
    show(
        el(
            "div",
            "Among the sources that you may read yourself. Sources outside your own rights are "
            "never listed or counted here, whoever you look at.",
            cls="cs-soft",
        )
    )


def _list(sources: list[Readable], sign: str, tone: str, nothing: str) -> Html:
    if not sources:
        return el("div", nothing, cls="cs-soft")
    return table(
        ("", "Source", "Version", "Because"),
        (
            (
                el("span", sign, cls=f"cs-{tone}"),
                el("a", source.title, href=source_address(source.source_id, source.document_id)),
                f"{source.version}, {source.status}",
                el("span", source.why, cls="cs-soft"),
            )
            for source in sources
        ),
    )
