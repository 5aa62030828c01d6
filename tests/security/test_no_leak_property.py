"""Nobody is shown, told or counted anything outside their rights, whichever door they try.

Random people, policies, documents and questions in two companies over the real stores. Each
document carries tokens and a number that stand nowhere else; whatever comes out of a door is
searched for those of documents its reader may not read.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from hypothesis import HealthCheck, Phase, example, given, settings

from core.models.access import User
from core.wiring import Office
from tests.security import leak_office as at
from tests.security.leak_world import Question, World, telling, worlds

_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
_WORLDS = settings(
    max_examples=300 if _LONG else 3,
    # A failing world names document and door itself; shrinking one would take many minutes.
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def held(world: World, readable: frozenset[int], doors: Iterable[at.Door], who: str) -> None:
    for door, said in doors:
        strangers = world.strangers(said, readable)
        assert not strangers, f"{who} read {sorted(strangers)} through {door!r}:\n{said[:3000]}"


def insiders(world: World, offices: dict[str, Office]) -> list[tuple[User, Office]]:
    return [(user, offices[user.tenant_id]) for user in world.users if user.active]


@_WORLDS
@given(world=worlds())
@example(world=telling())
@example(world=telling(beside_the_point=True))
def test_no_door_tells_what_the_rights_do_not_cover(world: World, migrated_sqlite: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        offices = at.stored(world, Path(folder) / "home", migrated_sqlite)
        try:
            _answers(world, offices)
            _stores(world, offices)
        finally:
            for office in offices.values():
                office.close()


def _answers(world: World, offices: dict[str, Office]) -> None:
    """Questions find what is in force and readable, in whichever company they are asked."""
    for question in world.questions:
        user = world.users[question.asker]
        visible = world.in_force(world.readable(user, question.tenant))
        doors = dict(at.answers(offices[question.tenant], world, question))
        held(world, visible, doors.items(), f"{user} asking {question}")
        if question.kind == "topic":
            for door in ("search", "ask"):
                _found_one(world, visible, question, doors[door])


def _found_one(world: World, visible: frozenset[int], question: Question, said: str) -> None:
    """A shut door leaks nothing: what may be found must be found."""
    on_topic = [world.docs[n] for n in visible if world.docs[n].topic in question.text]
    answering = [doc for doc in on_topic if not doc.aside]
    assert not answering or any(doc.mark("text") in said for doc in answering), said[:3000]


def _stores(world: World, offices: dict[str, Office]) -> None:
    """What is kept of questions, cases, uploads and flags shows itself to its readers only."""
    cases = {}
    for tenant, office in offices.items():
        cases[tenant] = [at.a_case(office, world, world.users[0])]
        for user, home in insiders(world, offices):
            if home is office:
                at.worked_on(office, user, cases[tenant][0])
                at.uploaded(office, world, user)
    traces = [run.trace.trace_id for run in at.runs_of(offices["athena"])]
    for user, office in insiders(world, offices):
        versions = world.readable(user, user.tenant_id)
        readable, who = world.and_uploads(versions, user), str(user)
        held(world, readable, at.shelves(office, world, user), who)
        held(world, readable, at.passages(office, world, user), who)
        held(world, readable, at.boards(office, world, user), who)
        held(world, readable, at.records(office, user, traces, cases[user.tenant_id]), who)
        for door, hidden, nothing in at.refusals(office, world, user):
            assert hidden == nothing, f"{who} learns through {door!r} that there is something"
        assert len(office.shelf(user.user_id).sources()) == len(world.families(versions))
