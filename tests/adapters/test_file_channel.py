"""The file channel: one whole file for each key, whatever the text says."""

from __future__ import annotations

import hashlib
import threading
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from core.adapters.file_channel import FileChannel
from core.errors import BadInput, TryAgainLater
from core.models.review import OutboxItem
from core.ports_delivery import KnowsReceipts
from tests.fakes.fixed_clock import DEMO_DAY

BODY = "Hello Maya,\n\n您好 – 45 days.\r\n.\nFrom now on: fine\n"


def an_item(**changes: object) -> OutboxItem:
    body = str(changes.get("body", BODY))
    return OutboxItem.model_validate(
        {
            "item_id": "outbox_1",
            "case_id": "1042",
            "draft_id": "draft_1",
            "disposition_id": "decision_1",
            "channel": "email",
            "recipient": "maya@mail.example",
            "subject": "Re: Coat",
            "body": body,
            "body_hash": hashlib.sha256(body.encode()).hexdigest(),
            "idempotency_key": "key-1",
            "not_before": DEMO_DAY,
            "created_at": DEMO_DAY,
            **changes,
        }
    )


def test_a_reply_becomes_one_readable_file_with_exactly_its_body(tmp_path: Path) -> None:
    receipt = FileChannel(tmp_path / "outbox").deliver(an_item())

    (file,) = (tmp_path / "outbox").iterdir()
    head, _, body = file.read_bytes().partition(b"\r\n\r\n")
    assert receipt == f"file:{file.name}"
    assert body == BODY.encode()
    message = message_from_bytes(head + b"\r\n\r\n", policy=policy.default)
    assert (message["To"], message["Subject"]) == ("maya@mail.example", "Re: Coat")
    assert message["X-Countersign-Body-SHA256"] == hashlib.sha256(BODY.encode()).hexdigest()


def test_a_key_delivered_before_keeps_its_first_file_and_receipt(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path)
    first = channel.deliver(an_item())

    assert FileChannel(tmp_path).deliver(an_item(body="Another text")) == first
    (file,) = tmp_path.iterdir()
    assert file.read_bytes().endswith(BODY.encode())


def test_the_receipt_is_known_only_after_delivery(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path)
    assert isinstance(channel, KnowsReceipts)
    assert channel.receipt_of("key-1") is None

    receipt = channel.deliver(an_item())

    assert channel.receipt_of("key-1") == receipt


@pytest.mark.parametrize(
    "hostile",
    ["../../etc/passwd", "/etc/passwd", "a/b", "nul\x00byte", "x" * 5000, "\r\nBcc: all@x", "."],
)
def test_no_untrusted_text_becomes_a_path(tmp_path: Path, hostile: str) -> None:
    folder = tmp_path / "outbox"
    hostile_item = an_item(
        idempotency_key=hostile,
        case_id=hostile,
        subject=hostile,
        recipient=hostile,
        channel=hostile,
    )

    FileChannel(folder).deliver(hostile_item)

    assert [p.name for p in tmp_path.iterdir()] == ["outbox"]
    (file,) = folder.iterdir()
    assert file.suffix == ".eml"
    assert len(file.name) == 44


def test_no_header_is_smuggled_in(tmp_path: Path) -> None:
    evil = "Re: hi\r\nBcc: everyone@mail.example\r\n\r\nNew body\x85\u2028X-Evil: 1"
    FileChannel(tmp_path).deliver(an_item(subject=evil, recipient=f"maya@mail.example{evil}"))

    (file,) = tmp_path.iterdir()
    head = file.read_bytes().partition(b"\r\n\r\n")[0].decode()
    names = [line.split(":")[0] for line in head.split("\r\n")]
    assert "Bcc" not in names
    assert "X-Evil" not in names
    assert len(head.splitlines()) == len(names)


def test_a_body_that_is_not_the_approved_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not the one that was approved"):
        FileChannel(tmp_path).deliver(an_item(body_hash="0" * 64))
    assert list(tmp_path.iterdir()) == []


def test_nobody_to_send_to_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="names nobody"):
        FileChannel(tmp_path).deliver(an_item(recipient="  "))


def test_a_folder_that_cannot_be_written_is_a_passing_fault(tmp_path: Path) -> None:
    (tmp_path / "outbox").write_text("a file where the folder should be")

    with pytest.raises(TryAgainLater, match="outbox folder"):
        FileChannel(tmp_path / "outbox").deliver(an_item())


def test_many_threads_with_one_key_leave_one_whole_file(tmp_path: Path) -> None:
    gate, receipts = threading.Barrier(8), []

    def deliver() -> None:
        gate.wait()
        receipts.append(FileChannel(tmp_path).deliver(an_item()))

    threads = [threading.Thread(target=deliver) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)

    assert len(set(receipts)) == 1
    assert len(receipts) == 8
    (file,) = tmp_path.iterdir()
    assert file.read_bytes().endswith(BODY.encode())


def test_a_half_written_file_of_a_crash_is_not_taken_for_a_delivery(tmp_path: Path) -> None:
    (tmp_path / ".crashed.part").write_text("To: may")

    channel = FileChannel(tmp_path)
    assert channel.receipt_of("key-1") is None
    channel.deliver(an_item())

    assert len(list(tmp_path.glob("*.eml"))) == 1
