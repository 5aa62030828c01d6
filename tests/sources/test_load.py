"""Whatever lies in a folder, the good is read and the bad is named with its remedy."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from core.models.source import IngestFailure
from core.sources.documents import FoundDocument, Warned
from core.sources.load import load


def documents(*paths: Path) -> list[FoundDocument]:
    return [thing for thing in load(paths) if isinstance(thing, FoundDocument)]


def failures(*paths: Path, max_bytes: int = 10_000) -> list[IngestFailure]:
    found = load(paths, max_bytes=max_bytes)
    return [thing for thing in found if isinstance(thing, IngestFailure)]


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b.md", "a.txt", "sub/c.html", ".git/d.md", ".hidden.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Refunds take five days.")
    assert [d.document_id for d in documents(tmp_path)] == ["a.txt", "b.md", "sub/c.html"]


def test_unknown_files_in_a_folder_are_passed_by_and_said(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    (warning,) = load([tmp_path])
    assert isinstance(warning, Warned)
    assert "photo.png" in warning.item
    (failure,) = failures(tmp_path / "photo.png")
    assert ".md" in failure.fix


def test_links_are_followed_only_inside_the_folder(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.mkdir()
    folder.mkdir()
    (outside / "secret.md").write_text("secret")
    (folder / "real.md").write_text("Refunds take five days.")
    (folder / "inner.md").symlink_to(folder / "real.md")
    (folder / "outer.md").symlink_to(outside / "secret.md")
    (folder / "loop").symlink_to(folder)
    assert [d.document_id for d in documents(folder)] == ["inner.md", "real.md"]
    assert [w.item for w in load([folder]) if isinstance(w, Warned)] == [str(folder / "outer.md")]


@pytest.mark.parametrize(
    ("data", "reason", "fix"),
    [
        (b"", "empty", "add the text"),
        (b"  \n", "empty", "add the text"),
        (b"%PDF-1.7 ...", "a PDF", "save it as Markdown"),
        (b"PK\x03\x04docx", "Office", "save it as Markdown"),
        (b"text\0text", "binary", "save it as Markdown"),
        ("Käufe".encode("latin-1"), "not UTF-8", "save it as UTF-8"),
        (b"x" * 20_000, "too large (20,000 bytes; the limit is 10,000)", "split it"),
        (b"---\nid: x\nno end", "never closed", "`---`"),
        (b"---\nid: [x\n---\ntext", "not valid YAML (line", "quotes"),
        (b"---\n- a: 1\n---\ntext", "not a list of", "key: value"),
        (b"---\nclasification: restricted\n---\ntext", "'clasification'", "'classification'"),
        (b"---\nstatus: active\ncolour: red\n---\ntext", "'colour'", "valid_from"),
        (b"---\ntitle: [a, b]\n---\ntext", "'title' must be one text", "title: text"),
    ],
)
def test_a_bad_file_is_named_with_its_remedy(
    tmp_path: Path, data: bytes, reason: str, fix: str
) -> None:
    (tmp_path / "bad.md").write_bytes(data)
    (tmp_path / "good.md").write_text("Refunds take five days.")
    (failure,) = failures(tmp_path)
    assert failure.path.endswith("bad.md")
    assert reason in failure.reason
    assert fix in failure.fix
    assert [d.document_id for d in documents(tmp_path / "good.md")] == ["good.md"]


def test_a_missing_path_is_a_failure(tmp_path: Path) -> None:
    (failure,) = failures(tmp_path / "nowhere")
    assert "no such file" in failure.reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_texts_with_a_byte_order_mark_are_read(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.md").write_bytes("---\nid: käufe\n---\n退货政策".encode(encoding))
    (found,) = documents(tmp_path)
    assert found.document_id == "käufe"
    assert found.original[found.body :] == "退货政策"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        (
            "cp1252",
            "Käufer dürfen die Ware zurückgeben. Die Rückerstattung erfolgt über die ursprüngliche "
            "Zahlungsmethode. Für größere Geräte gelten eigene Regeln, die wir Ihnen übersenden.",
        ),
        (
            "gb18030",
            "退货政策：客户可以在收到商品后的三十天内退货，退款将在五个工作日内退回原支付方式。",
        ),
        ("cp1251", "Клиент может вернуть товар в течение тридцати дней после получения заказа."),
    ],
)
def test_another_encoding_is_read_where_there_is_no_doubt_and_that_is_said(
    tmp_path: Path, encoding: str, text: str
) -> None:
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    (found,) = documents(tmp_path)
    assert found.original == text
    assert "save it as UTF-8" in found.warnings[0]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "A fee of £5 applies, that’s all."),
        ("cp437", "Käufer dürfen zurückgeben, größere Geräte übersenden wir."),
        ("shift_jis", "返品"),
    ],
)
def test_a_doubtful_encoding_is_refused(tmp_path: Path, encoding: str, text: str) -> None:
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    (failure,) = failures(tmp_path)
    assert (failure.reason.split(" (")[0], failure.fix) == (
        "the file is not UTF-8",
        "save it as UTF-8",
    )


def test_front_matter_names_and_governs_the_document(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "---\nid: returns-v2\nsource: returns\ntitle: Returns\nowner: dana\n---\n# Other\n\nText."
    )
    (found,) = documents(tmp_path)
    assert (found.document_id, found.source_id, found.title) == ("returns-v2", "returns", "Returns")
    assert found.fields["owner"] == "dana"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Holiday returns\n\nText.", "Holiday returns"),
        ("Text.", "Gift card rules"),
        ("---\nsubtitle: nothing\n---\nText.", "Gift card rules"),
        ("---\n\nTwo rules are no front matter.\n\n---\n\nText.", "Gift card rules"),
    ],
)
def test_a_title_is_found_where_there_is_one(tmp_path: Path, text: str, title: str) -> None:
    (tmp_path / "gift_card-rules.md").write_text(text)
    assert [d.title for d in documents(tmp_path)] == [title]


def test_keys_that_mean_nothing_are_said_where_they_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nsubtitle: x\n---\nText.")
    assert documents(tmp_path)[0].warnings == ("front-matter key 'subtitle' means nothing here",)


def test_rows_keep_their_ids_and_bad_rows_are_named_by_line(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(
        '{"id": "a/b#c", "title": "T", "text": "Text."}\n'
        "\n"
        "not json\n"
        '["a", "list"]\n'
        '{"title": "no id", "text": "x"}\n'
        '{"id": "no text"}\n'
        '{"id": {"x": 1}, "text": "x"}\n'
        '{"id": "typo", "text": "x", "permision_tag": "INTERNAL_ONLY"}\n'
        '{"id": 7, "text": "---\\ntitle: Inner\\nstatus: draft\\n---\\nBody.", "lang": "en"}\n'
        '{"id": "s", "source_id": "src", "text": "x"}\n'
    )
    assert [(d.document_id, d.source_id, d.title) for d in documents(file)] == [
        ("a/b#c", "a/b#c", "T"),
        ("7", "7", "Inner"),
        ("s", "src", "S"),
    ]
    assert documents(file)[1].fields == {}
    assert [f.path.rsplit(":", 1)[1] for f in failures(file)] == ["3", "4", "5", "6", "7", "8"]
    assert "permission_tag" in failures(file)[-1].fix
    (warning,) = [thing for thing in load([file]) if isinstance(thing, Warned)]
    assert warning.message.endswith("lang")


def test_a_row_in_a_wrong_encoding_ends_its_file_only(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"id": "a", "text": "x"}\n{"id": "b", "text": "\xff"}\n')
    (tmp_path / "b.md").write_text("Text.")
    assert [d.document_id for d in documents(tmp_path)] == ["a", "b.md"]
    assert [f.fix for f in failures(tmp_path)] == ["save it as UTF-8"]


def test_an_empty_file_of_rows_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("\n\n")
    assert [f.reason for f in failures(tmp_path)] == ["the file is empty"]


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    for path in (tmp_path, tmp_path / "pipe.md"):
        (failure,) = failures(path)
        assert "not a file" in failure.reason


def test_a_file_name_that_is_not_utf8_can_be_stored_and_printed(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("Coats can be returned.")
    (document,) = documents(tmp_path)
    assert document.item.encode().endswith("caf\ufffd.md".encode())


def test_a_file_name_with_terminal_codes_or_direction_marks_is_said_without(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[31m\u202e.md").write_text("Coats can be returned.")
    (document,) = documents(tmp_path)
    assert Path(document.item).name == "a\ufffd[31m\ufffd.md"


def test_front_matter_that_unfolds_without_end_is_refused(tmp_path: Path) -> None:
    names = "abcdefghij"
    nested = [f"{n}: &{n} [{', '.join(['*' + m] * 9)}]" for m, n in pairwise(names)]
    lines = ["---", "a: &a [x]", *nested, "title: *j", "---", "Coats can be returned."]
    (tmp_path / "bomb.md").write_text("\n".join(lines))
    (failure,) = failures(tmp_path)
    assert "alias" in failure.reason
