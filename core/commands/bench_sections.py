"""The sections of ``countersign bench``: each runs, and says what it found as data and as text."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.commands.bench_child import in_child, ingest_step, scale_step
from core.commands.bench_home import BenchHome, office_in
from core.demo import DATA_DIR, seed_demo
from core.demo_office import OfficeTarget, has_demo

if TYPE_CHECKING:
    from core.ports import Encoder
    from core.wiring import Office

EVAL_DATA = "COUNTERSIGN_EVAL_DATA"
FULL_DOCUMENTS, QUICK_DOCUMENTS = 5_000, 300
FULL_PASSAGES, QUICK_PASSAGES = 1_000_000, 10_000


class Options(NamedTuple):
    """What the command line chose."""

    documents: int = FULL_DOCUMENTS
    max_passages: int = FULL_PASSAGES
    sets: tuple[str, ...] = ()
    all_chinese: bool = False
    plot: Path | None = None
    quick: bool = False


class Found(NamedTuple):
    """What a section found."""

    data: dict[str, Any]
    text: str


Tell = Callable[[str], None]
Section = Callable[["Office", Options, Tell], Found]


def retrieval(office: Office, options: Options, tell: Tell) -> Found:
    """Ours and the peers on the public sets, over one encoder."""
    from core.adapters.peers import peers
    from core.evaluation.bench_peer import SharedEncoder
    from core.evaluation.bench_sets import SETS
    from core.evaluation.bench_tables import retrieval_text
    from core.evaluation.retrieval_bench import run_retrieval_bench

    data = evaluation_data()
    encoder = SharedEncoder(_encoder(office))

    def before(name: str) -> None:
        encoder.forget()
        tell(f"retrieval: {name}")

    report = run_retrieval_bench(
        data,
        open_home=lambda folder: BenchHome(folder, office, encoder),
        peers=peers(encoder),
        clock=office.clock,
        sets=tuple(name for name in options.sets or SETS if name in SETS),
        all_chinese=options.all_chinese,
        before=before,
        after=lambda found: tell(retrieval_text(found)),
    )
    return Found(report.model_dump(mode="json"), retrieval_text(report))


def chunking(office: Office, options: Options, tell: Tell) -> Found:
    """Our way of cutting documents and three others, with one encoder and one search."""
    from core.adapters.lancedb_index import LanceIndex
    from core.evaluation.bench_sets import OWN_QUESTIONS
    from core.evaluation.chunking_bench import run_chunking_bench
    from core.sources.chunk import CHUNKER_VERSION

    del options
    tell("chunking: four ways on every set")
    report = run_chunking_bench(
        evaluation_data(),
        office.encoder,
        lambda folder: LanceIndex(folder, office.encoder, chunker=CHUNKER_VERSION),
        questions=OWN_QUESTIONS / "chunking_questions.jsonl",
        clock=office.clock,
        tokens=office.tokens,
    )
    return Found(report.model_dump(mode="json"), report.table())


def scale(office: Office, options: Options, tell: Tell) -> Found:
    """Cost from a thousand passages up, each size in a process of its own."""
    from core.evaluation.scale_bench import SIZES, ScaleReport

    del office
    rows = []
    for passages in [size for size in SIZES if size <= options.max_passages]:
        tell(f"scale: {passages:,} passages")
        rows.append(in_child(scale_step, passages))
    report = ScaleReport(rows=tuple(rows))
    text = report.table()
    if options.plot is not None:
        text += f"\n{_plotted(report.points(), options.plot)}"
    return Found(report.model_dump(mode="json"), text)


def ingesting(office: Office, options: Options, tell: Tell) -> Found:
    """Markdown documents through the real ingest with the real encoder."""
    tell(f"ingest: {options.documents:,} documents")
    # One after the other in the parent, so that the child's memory is the ingest's alone.
    office.encoder.encode(["the exported model must be there before the clock starts"])
    report = in_child(ingest_step, options.documents, office.settings, _prose())
    return Found(report.model_dump(mode="json"), report.table())


def drafts(office: Office, options: Options, tell: Tell) -> Found:
    """Every case of the demo company drafted."""
    from core.evaluation.draft_bench import run_draft_bench

    del options
    tell("drafts: every demo case")
    with tempfile.TemporaryDirectory(prefix="countersign-bench-") as scratch:
        other = _demo(office, Path(scratch))
        with other.store.read() as transaction:
            cases = transaction.cases(other.settings.tenant)
        context = other.identity.context_of("ana")
        found = run_draft_bench(cases, lambda case: other.copilot.draft(case, context))
        other.close()
    return Found(found.model_dump(mode="json"), found.table())


def startup(office: Office, options: Options, tell: Tell) -> Found:
    """The console over the demo company, from process start to first page."""
    from core.evaluation.startup_bench import run_startup_bench

    del options
    tell("startup: the console, six times")
    with tempfile.TemporaryDirectory(prefix="countersign-bench-") as scratch:
        _demo(office, Path(scratch)).close()
        found = run_startup_bench(Path(scratch))
    return Found(found.model_dump(mode="json"), found.table())


def passage_gate(office: Office, options: Options, tell: Tell) -> Found:
    """The gate's four questions on labelled pairs, beside plainer ways, and its speed."""
    from core.commands.bench_gate import measure_gate

    report, text = measure_gate(
        office,
        evaluation_data(),
        _prose(),
        _encoder(office),
        quick=options.quick,
        only=options.sets,
        tell=tell,
    )
    return Found(report.model_dump(mode="json"), text)


def agentic_loop(office: Office, options: Options, tell: Tell) -> Found:
    """Conflicts, follow-ups, refusals, time and rounds, each on its own set."""
    from core.commands.bench_loop import measure_loop

    report = measure_loop(
        office, evaluation_data(), quick=options.quick, only=options.sets, tell=tell
    )
    return Found(report.model_dump(mode="json"), report.table())


SECTIONS: dict[str, Section] = {
    "retrieval": retrieval,
    "chunking": chunking,
    "scale": scale,
    "ingest": ingesting,
    "drafts": drafts,
    "startup": startup,
    "gate": passage_gate,
    "loop": agentic_loop,
}


def evaluation_data() -> Path:
    """Where the public sets are looked for."""
    return Path(os.environ.get(EVAL_DATA, DATA_DIR.parent.parent / "shared" / "data"))


def _encoder(office: Office) -> Encoder:
    """The configured encoder without the memory an office gives it: each search pays its own."""
    from core.adapters.open_encoder import open_encoder

    chosen = office.settings
    return open_encoder(
        chosen.encoder,
        cache_dir=chosen.model_folder,
        precision=chosen.encoder_precision,
        query_prefix=chosen.encoder_query_prefix,
        passage_prefix=chosen.encoder_passage_prefix,
    )


def _demo(office: Office, home: Path) -> Office:
    other = office_in(home, office)
    if not has_demo(other):
        seed_demo(OfficeTarget(other), DATA_DIR, lambda _words: None)
    return other


def _prose() -> list[str]:
    """English texts of the demo company, without their front matter."""
    paths = sorted((DATA_DIR / "sources").glob("*.md"))
    texts = [path.read_text(encoding="utf-8") for path in paths if "-zh-" not in path.name]
    return [text.split("\n---\n", 1)[-1] for text in texts]


def _plotted(points: list[tuple[int, dict[str, float]]], path: Path) -> str:
    from core.errors import BadInput
    from core.evaluation.scale_bench import PANELS

    try:
        from core.adapters.scaling_plot import draw_scaling

        draw_scaling(points, PANELS, path)
    except ImportError:
        return "no plot: matplotlib is not installed (`make bench` installs it)"
    except BadInput as error:
        return f"no plot: {error}"
    return f"plot: {path}"
