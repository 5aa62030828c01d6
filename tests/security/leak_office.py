"""A random world in the real stores, and everything one person gets to read of it, door by door."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from core.adapters.caching_encoder import CachingEncoder
from core.adapters.local_checker import LocalClaimChecker
from core.adapters.local_gate import LocalGate
from core.cli import main
from core.commands import search as command
from core.errors import CountersignError
from core.models.access import User
from core.models.request import UserRequest
from core.models.review import Case, Message
from core.models.trace import PipelineRun
from core.pipeline_search import neighbours
from core.settings import Settings
from core.sources.chunk import chunk
from core.sources.documents import FoundDocument
from core.wiring import Office, open_office
from tests.fakes.fixed_clock import DEMO_DAY, FixedClock
from tests.fakes.word_encoder import WordEncoder
from tests.security.leak_world import TENANTS, UPLOADS, Doc, Question, World

Door = tuple[str, str]
"""What a door is called, and all words that came out of it."""


class WordTokens:
    """Counts words for tokens."""

    def count(self, text: str) -> int:
        return len(text.split())


@cache
def _models() -> tuple[Any, Any, Any]:
    """One encoder with one memory for all people of all worlds: it must tell nobody anything."""
    encoder = CachingEncoder(WordEncoder())
    return encoder, LocalGate(encoder), LocalClaimChecker(encoder)


def stored(world: World, home: Path, template: Path) -> dict[str, Office]:
    """The world in a fresh home: one office for each company, over the same stores."""
    home.mkdir(parents=True)
    shutil.copy(template, home / "countersign.db")
    encoder, gate, checker = _models()
    first: Office | None = None
    offices = {}
    for tenant in TENANTS:
        office = open_office(Settings(home=home, tenant=tenant, undo_seconds=0))
        office.clock = FixedClock()  # type: ignore[assignment]
        office.__dict__.update(encoder=encoder, gate=gate, checker=checker, tokens=WordTokens())
        if first is not None:
            office.__dict__.update(
                engine=first.engine, registry=first.registry, index=first.index, store=first.store
            )
        first = first or office
        offices[tenant] = office
    assert first is not None
    _fill(world, first)
    return offices


def _fill(world: World, office: Office) -> None:
    for policy in world.policies:
        office.policies.put_acl_policy(policy, actor="test")
    for user in world.users:
        office.policies.put_user(user, actor="test")
    office.registry.put([doc.version() for doc in world.docs], actor="test")
    cut = [(doc.document_id, chunk(doc.as_indexed(), office.tokens)) for doc in world.docs]
    office.index.replace_documents(cut)
    office.registry.mark_indexed([name for name, _ in cut], office.index.version())
    for doc in world.docs:
        if doc.withdrawn:  # in the registry alone: the index has not followed yet
            office.registry.withdraw(doc.document_id, reason=doc.mark("why"), actor="test")
        if doc.number % 3 == 0:
            _quarantined(office, doc)


def _quarantined(office: Office, doc: Doc) -> None:
    """A newer file of the document that could not be taken in."""
    found = FoundDocument(
        item=f"{doc.mark('path')}.md",
        document_id=doc.document_id,
        source_id=doc.source_id,
        title=doc.mark("newtitle"),
        original=doc.version().text,
        fields={"classification": doc.classification, "acl": doc.acl, "owner": doc.owner},
    )
    office.registry.quarantine(
        doc.tenant,
        found.item,
        f"{doc.mark('reason')} has no date",
        "Add one.",
        actor="test",
        found=found.model_dump_json(),
    )


def asked(world: World, question: Question, tenant: str) -> UserRequest:
    """The request, with whatever the asker claims to be."""
    user = world.users[question.asker]
    return UserRequest(
        request_id=f"req-{question.asker}-{abs(hash(question.text)) % 10_000}",
        tenant_id=tenant,
        user_id=user.user_id,
        user_roles=question.claims,
        raw_query=question.text,
    )


def words(found: object) -> str:
    """Everything in ``found``, as one text."""
    if isinstance(found, BaseModel):
        return found.model_dump_json()
    if isinstance(found, bytes):
        return found.decode()
    if isinstance(found, dict):
        return " ".join(f"{words(k)} {words(v)}" for k, v in found.items())
    if isinstance(found, (list, tuple, set, frozenset)):
        return " ".join(map(words, found))
    return str(found)


def told(call: Callable[[], object], *named: str) -> str:
    """What a call returns, or the words it refuses with; ids the caller ``named`` are no news."""
    try:
        return words(call())
    except CountersignError as error:
        said = f"{type(error).__name__}: {error} {words(getattr(error, 'findings', ()))}"
    for name in sorted(named, key=len, reverse=True):
        said = said.replace(name, "…")
    return said


# -- doors that answer a question ---------------------------------------------------------------


def answers(office: Office, world: World, question: Question) -> Iterator[Door]:
    """Search, and the whole flow with all it keeps."""
    request = asked(world, question, question.tenant)
    yield "search", told(partial(office.search, request, k=10))
    yield "command line", told(partial(_by_command, office, request))
    yield "ask", told(partial(office.ask, request))


def _by_command(office: Office, request: UserRequest) -> str:
    """``countersign search`` as the asker, over the open office."""
    wanted = ("search", request.raw_query, "--as", request.user_id, "--tenant", request.tenant_id)
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(out), redirect_stderr(out):
        patched.setattr(command, "office_of", lambda _: office)
        main([*wanted, "--json"])
    return out.getvalue()


# -- doors that show what is stored -------------------------------------------------------------


def shelves(office: Office, world: World, user: User) -> Iterator[Door]:
    """The knowledge screen: lists, pages, differences, flags, quarantine, uploads."""
    shelf = office.shelf(user.user_id)
    yield "sources", told(shelf.sources)
    yield "due", told(shelf.due)
    yield "flags", told(shelf.flags)
    yield "quarantine", told(shelf.quarantine)
    for name in {doc.source_id for doc in world.docs}:
        yield "source", told(partial(shelf.source, name), name)
    for doc in world.docs:
        names = doc.source_id, doc.document_id
        other = world.docs[(doc.number + 1) % len(world.docs)].document_id
        yield "version", told(partial(shelf.source, *names), *names)
        yield "diff", told(partial(shelf.diff, names[1], other), names[1], other)
    if shelf.uploads is not None:
        yield "uploads", told(shelf.uploads.uploads)
        for name in uploads_of(office, user.tenant_id):
            yield "upload", told(partial(shelf.uploads.open, name))


def uploads_of(office: Office, tenant: str) -> list[str]:
    states = ("needs_metadata", "ready", "failed", "published")
    return [draft.upload_id for draft in office.uploads.drafts(tenant, states)]


def passages(office: Office, world: World, user: User) -> Iterator[Door]:
    """What stands around a passage."""
    context = office.identity.context_of(user.user_id)
    for doc in world.docs:
        name = f"{doc.document_id}::0000"
        yield "neighbours", told(partial(neighbours, name, 5, office.tools, context), name)


def records(office: Office, user: User, traces: list[str], cases: list[str]) -> Iterator[Door]:
    """Traces, the desk, the audit and its export."""
    inspector = office.inspector(user.user_id)
    yield "recent runs", told(inspector.recent)
    for trace_id in traces:
        yield "trace", told(partial(inspector.get, trace_id))
    desk = office.desk(user.user_id)
    yield "queue", told(desk.queue)
    for case_id in cases:
        yield "case", told(partial(desk.view, case_id))
        yield "trace of case", told(partial(desk.trace_json, case_id))
        yield "ledger of case", told(partial(desk.ledger_json, case_id))
    yield "escalations", told(office.escalation_desk(user.user_id).rows)
    audit = office.audit_desk(user.user_id)
    yield "decisions", told(audit.decisions)
    yield "events", told(partial(audit.events, limit=1000))
    yield "export jsonl", told(partial(audit.export, "jsonl"))
    yield "export csv", told(partial(audit.export, "csv", full=True))
    with office.store.read() as txn:
        made = [d.disposition_id for d in txn.dispositions(tenant_id=user.tenant_id)]
        raised = [e.escalation_id for e in txn.escalations(tenant_id=user.tenant_id)]
    for name in made:
        yield "decision", told(partial(audit.decision, name))
    for name in raised:
        yield "escalation", told(partial(office.escalation_desk(user.user_id).view, name))


def boards(office: Office, world: World, user: User) -> Iterator[Door]:
    """What supervisors and administrators look after: other people's rights, proposed questions."""
    yield "proposals", told(lambda: office.evaluation_desk(user.user_id).growth())
    for other in (None, *(u.user_id for u in world.users if u.tenant_id == user.tenant_id)):
        yield "rights of", told(partial(_rights, office, user, other))


def _rights(office: Office, user: User, other: str | None) -> object:
    return office.settings_desk(user.user_id).rights_of(other)


# -- doors that stay shut -----------------------------------------------------------------------


def refusals(office: Office, world: World, user: User) -> Iterator[tuple[str, str, str]]:
    """Door, what it says of an id outside the rights, and what it says of one that never was."""
    shelf, readable = office.shelf(user.user_id), world.readable(user, user.tenant_id)
    families, context = world.families(readable), office.identity.context_of(user.user_id)
    for doc in world.docs:
        if doc.number in readable:
            continue
        calls: dict[str, tuple[Callable[..., object], str, str]] = {
            "diff": (lambda name: shelf.diff(name, name), doc.document_id, NOWHERE),
            "withdraw": (lambda name: shelf.withdraw(name, "why"), doc.document_id, NOWHERE),
            "supersede": (lambda name: shelf.supersede(name, name), doc.document_id, NOWHERE),
            "reviewed": (shelf.mark_reviewed_version, doc.document_id, NOWHERE),
            "neighbours": (
                lambda name: neighbours(name, 2, office.tools, context),
                f"{doc.document_id}::0000",
                f"{NOWHERE}::0000",
            ),
        }
        if doc.family not in families:
            calls["source"] = shelf.source, doc.source_id, NOWHERE
            calls["flags"] = shelf.flags, doc.source_id, NOWHERE
        for door, (call, hidden, nothing) in calls.items():
            yield door, told(partial(call, hidden), hidden), told(partial(call, nothing), nothing)


NOWHERE = "no-such-thing"


# -- things people leave behind -----------------------------------------------------------------


def a_case(office: Office, world: World, drafter: User) -> str:
    """A case about what its drafter may read and not everybody may, if there is such a thing."""
    tenant = office.settings.tenant
    readable = world.in_force(world.readable(drafter, tenant))
    guarded = readable - world.readable(None, tenant)
    doc = world.docs[min(guarded or readable or {0})]
    name = f"case-{tenant}"
    message = Message(
        message_id=f"{name}-m1",
        author="customer",
        at=DEMO_DAY,
        body=f"What is the {doc.topic} limit, and within how many days is it paid?",
    )
    case = Case(
        case_id=name,
        tenant_id=office.settings.tenant,
        subject=f"About a {doc.topic}",
        opened_at=DEMO_DAY,
        updated_at=DEMO_DAY,
        messages=(message,),
    )
    with office.store.write() as transaction:
        transaction.add_case(case)
    return name


def worked_on(office: Office, user: User, case_id: str) -> None:
    """The case drafted, a passage flagged, the draft handed on and rejected, as far as allowed."""
    desk = office.desk(user.user_id)
    try:
        view = desk.open(case_id)
        for card in view.evidence:
            desk.flag(case_id, chunk_id=card.chunk_id, claim="", reason="wrong")
        view = desk.view(case_id)
        desk.reject(case_id, reason="of no use", case_version=view.case.version)
        view = desk.open(case_id)
        desk.escalate(
            case_id, reason="policy_exception", note="odd", case_version=view.case.version
        )
    except CountersignError:
        return


def uploaded(office: Office, world: World, user: User) -> None:
    """A draft for the readers of one document that repeats what every document says."""
    number = world.users.index(user)
    like, mark = world.docs[number], f"zuq{UPLOADS + number}"
    shared = [line for doc in world.docs for line in doc.version().text.splitlines()]
    # Their tokens would be the uploader's own words; sentences without any overlap as well.
    lines = [line for line in shared if line and "zuq" not in line]
    found = FoundDocument(
        item=f"{mark}filex.md",
        document_id=f"{mark}idx",
        source_id=f"{mark}srcx",
        title=f"New {mark}titlex",
        original="\n\n".join([*lines, f"New words {mark}textx for everybody."]),
        fields={"owner": user.user_id, "acl": like.acl, "classification": like.classification},
    )
    office.uploads.add_draft(
        office.upload_reader.from_found(found, tenant_id=user.tenant_id, actor=user.user_id)
    )


def runs_of(office: Office) -> list[PipelineRun]:
    """Every stored run, whoever made it."""
    names = [t for tenant in TENANTS for t, _, _ in office.runs.recent_runs(tenant, limit=200)]
    return [run for name in names if (run := office.runs.run(name)) is not None]
