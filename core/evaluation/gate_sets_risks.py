"""Sets of false premises and of injected instructions, each beside harmless twins."""

from __future__ import annotations

from collections.abc import Iterator

from core.evaluation.gate_sets import GateLanguage, GateRow, Lines, SetSource, Sources, paragraphs
from core.evaluation.gate_split import held_back, injection_fold
from core.evaluation.premise_pairs import premise_pairs
from core.evaluation.premise_passages import body, cut, measures

_SEED = 7
_PREMISE_PASSAGES = 150
_ASKED = "What should I know about this?"
"""Asked of passages that come without a question: whether they give orders hangs on none."""
_POLICIES = ("basecamp_policies", "abcd_guidelines", "tau_policies")
_SUPPORT = (
    "supabase_auth/corpus_sections.jsonl",
    *(f"{name}/corpus.jsonl" for name in _POLICIES),
)


def kgfpq(sources: Sources) -> Iterator[GateRow]:
    """Yes/no questions on a fact of a knowledge graph: the twins name the true and a false one."""
    rows = [
        r for r in sources.lines("kgfpq/kgfpq_paired.jsonl") if held_back("kgfpq", r["pair_id"])
    ]
    for row in sources.kept(rows, lambda r: str(r["pair_id"])):
        false = bool(row["premise_false"])
        kind = "false premise" if false else "true premise"
        text = row["passages"][0]["text"]
        yield GateRow(row["pair_id"], row["query"], text, "", kind, contradicts=int(false))


def supabase(sources: Sources) -> Iterator[GateRow]:
    """Six questions beside all sections. Of a false premise only the section that denies it and,
    of the others, every section is labelled."""
    sections = sources.lines("supabase_auth/corpus_sections.jsonl")
    for question in sources.lines("supabase_auth/queries.jsonl"):
        gold, false = set(question["gold_ids"]), bool(question["premise_false"])
        near = [s for s in sections if s["id"] in gold]
        near += [s for s in sections if s["id"] not in gold][: sources.limit]
        for section in near:
            own = section["id"] in gold
            denies = None if false and not own else int(false)
            title, *heading = section["title"].split(" > ")
            yield GateRow(
                group=question["id"],
                query=question["query"],
                text=section["text"],
                title=title,
                kind=f"{'gold' if own else 'other'}, {'false' if false else 'true'} premise",
                heading=tuple(heading),
                relevant=1 if own else None,
                contradicts=denies,
                gold=own,
            )


def premises_en(sources: Sources) -> Iterator[GateRow]:
    """Twins over English policy prose: one premise holds, in the other one fact is changed."""
    return _premises(sources, "en", [row["text"] for row in _policies(sources)])


def premises_zh(sources: Sources) -> Iterator[GateRow]:
    """Twins over Chinese policies and encyclopaedia paragraphs."""
    corpus = sources.lines("cmrc2018_zh/corpus.jsonl")
    return _premises(sources, "zh", [row["text"] for row in corpus])


def bipia(sources: Sources) -> Iterator[GateRow]:
    """Documents with an injected line and the same documents clean, families and documents apart
    from the fitted ones."""
    rows = [
        row
        for row in sources.lines("inj_bipia/inj_bipia.jsonl")
        if injection_fold(row.get("attack_category"), row["doc_id"]) == "held_back"
    ]
    for row in sources.kept(rows, lambda r: str(r["doc_id"])):
        yield GateRow(
            group=row["doc_id"],
            query=row["query"],
            text=row["text"],
            kind="injected" if row["label"] else "clean",
            detail=row.get("attack_category") or "",
            injection=row["label"],
        )


def wildguard(sources: Sources) -> Iterator[GateRow]:
    """Harmless prompts, some on touchy subjects."""
    rows = sources.lines("inj_wildguard_benign/inj_wildguard_benign.jsonl")
    named = [(str(at), r["text"]) for at, r in enumerate(rows) if held_back("wildguard", str(at))]
    for group, text in sources.kept(named, lambda pair: str(pair[0])):
        yield GateRow(group, _ASKED, text, "", "harmless prompt", injection=0)


def support(sources: Sources) -> Iterator[GateRow]:
    """Policy and guide prose, full of imperatives that address the customer or the agent."""
    pieces = [
        (f"{row['id']}{at}", piece)
        for path in _SUPPORT
        for row in sources.lines(path)
        for at, piece in enumerate(paragraphs(row["text"]))
    ]
    held = [pair for pair in pieces if held_back("support", pair[0])]
    for group, text in sources.kept(held, lambda pair: str(pair[0])):
        yield GateRow(group, _ASKED, text, "", "support prose", injection=0)


def _policies(sources: Sources) -> Lines:
    return [row for name in _POLICIES for row in sources.lines(f"{name}/corpus.jsonl")]


def _premises(sources: Sources, language: GateLanguage, more: list[str]) -> Iterator[GateRow]:
    texts = [*_own_documents(sources), *more]
    pieces = dict.fromkeys(piece for text in texts for piece in cut(text))
    rows = [GateRow(piece, "", piece) for piece in pieces if measures(piece)]
    few = sources._replace(limit=min(_PREMISE_PASSAGES, sources.limit or _PREMISE_PASSAGES))
    chosen = few.kept([row for row in rows if row.language == language], lambda row: row.group)
    for pair in premise_pairs([row.text for row in chosen], _SEED):
        yield GateRow(
            group=pair.pair_id.partition("-")[0],
            query=pair.query,
            text=pair.text,
            kind="false premise" if pair.premise_false else "true premise",
            detail=pair.kind,
            contradicts=int(pair.premise_false),
        )


def _own_documents(sources: Sources) -> list[str]:
    paths = sorted(sources.documents.glob("*.md"))
    return [body(path.read_text(encoding="utf-8")) for path in paths]


RISK_SETS = (
    SetSource("kgfpq", kgfpq, "yes/no questions on knowledge-graph facts"),
    SetSource(
        "premises_en",
        premises_en,
        "twins made by rule over policy prose; the gate's rules were written with these in view",
    ),
    SetSource("premises_zh", premises_zh, "Chinese twins, made and to be read alike"),
    SetSource("supabase_auth", supabase, "6 questions, 2 with a false premise: a smoke test"),
    SetSource(
        "inj_bipia",
        bipia,
        "families and documents the head was not fitted on; but the sentence rules were written "
        "with this set in view",
    ),
    SetSource("inj_wildguard_benign", wildguard, "harmless prompts: false alarms alone"),
    SetSource("support_prose", support, "policies and guides: false alarms alone"),
)
