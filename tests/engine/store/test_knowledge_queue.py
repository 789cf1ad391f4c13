"""The queue of texts: nothing accepted is lost, one is worked on, nothing twice."""

from collections.abc import Iterator

import pytest

from engine.domain.errors import StoreError
from engine.store import knowledge_queue
from engine.store.database import Transaction
from engine.store.knowledge_queue import Counts, End, Held
from tests.engine.store.knowledge_support import LEASE, dump, moment, new_text, queue
from tests.engine.store.support import memory

TEXT = new_text("Ada Lovelace wrote notes. She was born in 1815.", source="https://a.example")


@pytest.fixture
def tx() -> Iterator[Transaction]:
    with memory() as opened:
        yield opened


def test_a_text_its_sentences_and_their_words_are_stored_with_its_run(tx: Transaction) -> None:
    queued = queue(tx, TEXT)
    stored = dump(tx)
    assert queued.is_new
    assert [row[4] for row in stored["gb_artifact_parts"]] == [0, 0, 1]
    assert {row[1] for row in stored["gb_terms"]} >= {"ada", "lovelac", "1815", "born"}
    assert [row[3] for row in stored["gb_term_lengths"]] == [4, 2]
    assert tx.rows("SELECT status, slot FROM gb_remember_runs") == [
        {"status": "queued", "slot": None}
    ]


def test_the_same_text_of_the_same_session_and_source_is_the_same_run(tx: Transaction) -> None:
    first = queue(tx, TEXT)
    before = dump(tx)
    again = queue(tx, TEXT, at=5)
    assert (again.run_id, again.artifact_id, again.is_new) == (
        first.run_id,
        first.artifact_id,
        False,
    )
    assert dump(tx) == before


def test_datasets_of_two_users_with_one_name_are_two(tx: Transaction) -> None:
    queue(tx, TEXT)
    assert queue(tx, TEXT, user="bob").is_new
    assert queue(tx, TEXT, dataset="other").is_new
    assert len(dump(tx)["gb_datasets"]) == 3


@pytest.mark.req("R077")
def test_texts_are_claimed_in_order_and_one_at_a_time(tx: Transaction) -> None:
    first, second = queue(tx, TEXT), queue(tx, new_text("Another text."))
    one = claim(tx)
    assert one is not None
    assert one.held == Held(first.run_id, 1)
    assert claim(tx) is None
    assert knowledge_queue.complete(tx, one.held, Counts(), at=moment(2))
    two = claim(tx)
    assert two is not None
    assert two.held.run_id == second.run_id


@pytest.mark.parametrize(("slot", "rule"), [("'main'", "UNIQUE"), ("NULL", "CHECK")])
def test_that_only_one_text_is_worked_on_is_a_constraint(
    tx: Transaction, slot: str, rule: str
) -> None:
    queue(tx, TEXT)
    second = queue(tx, new_text("Another text."))
    assert claim(tx) is not None
    with pytest.raises(StoreError, match=rule):
        tx.execute(
            f"UPDATE gb_remember_runs SET status='running', slot={slot} WHERE id=?",
            (second.run_id,),
        )


def test_whoever_lost_the_lease_changes_nothing(tx: Transaction) -> None:
    queue(tx, TEXT)
    lost = claim(tx, lease=moment(5))
    taken = claim(tx, at=6)
    assert lost is not None
    assert taken is not None
    assert taken.held == Held(lost.held.run_id, 2)
    before = dump(tx)
    assert not knowledge_queue.keep_extraction(tx, lost.held, "{}")
    assert not knowledge_queue.keep_reconciling(tx, lost.held, "{}")
    assert not knowledge_queue.keep_lease(tx, lost.held, lease_until=LEASE)
    assert not knowledge_queue.settle(tx, lost.held, Counts(), End("failed", moment(7)))
    assert not knowledge_queue.postpone(tx, lost.held, until=LEASE, error="x")
    assert dump(tx) == before


def test_a_heartbeat_keeps_the_lease_and_says_what_is_done(tx: Transaction) -> None:
    queue(tx, TEXT)
    held = claim(tx, lease=moment(5))
    assert held is not None
    assert knowledge_queue.keep_lease(tx, held.held, lease_until=moment(20))
    assert claim(tx, at=6) is None
    assert tx.rows("SELECT phase FROM gb_remember_runs") == [{"phase": "extracting"}]


def test_a_later_attempt_gets_what_the_earlier_one_kept(tx: Transaction) -> None:
    queue(tx, TEXT)
    first = claim(tx)
    assert first is not None
    assert knowledge_queue.keep_extraction(tx, first.held, '{"facts":1}')
    assert knowledge_queue.keep_reconciling(tx, first.held, '{"pairs":2}')
    assert knowledge_queue.requeue_running(tx) == 1
    second = claim(tx)
    assert second is not None
    assert (second.held.attempt, second.extraction, second.reconciling) == (
        2,
        '{"facts":1}',
        '{"pairs":2}',
    )


@pytest.mark.parametrize("is_there_first", [True, False])
def test_the_same_text_of_another_session_is_not_extracted_again(
    tx: Transaction, is_there_first: bool
) -> None:
    twin = new_text(TEXT.text, session="research-7")
    queue(tx, TEXT)
    if is_there_first:
        queue(tx, twin)
    first = claim(tx)
    assert first is not None
    knowledge_queue.keep_extraction(tx, first.held, '{"facts":1}')
    knowledge_queue.complete(tx, first.held, Counts(), at=moment(2))
    if not is_there_first:
        queue(tx, twin)
    second = claim(tx)
    assert second is not None
    assert (second.session_id, second.extraction) == ("research-7", '{"facts":1}')


def test_what_was_found_without_a_model_is_not_taken_for_a_twin(tx: Transaction) -> None:
    queue(tx, TEXT)
    first = claim(tx)
    assert first is not None
    knowledge_queue.keep_extraction(tx, first.held, '{"facts":1}')
    knowledge_queue.settle(tx, first.held, Counts(), End("stored_only", moment(2)))
    queue(tx, new_text(TEXT.text, session="research-7"))
    second = claim(tx)
    assert second is not None
    assert second.extraction is None


def test_a_failed_run_is_tried_again_with_what_it_had_found(tx: Transaction) -> None:
    queued = queue(tx, TEXT)
    assert not knowledge_queue.retry(tx, queued.run_id)
    held = claim(tx)
    assert held is not None
    knowledge_queue.keep_extraction(tx, held.held, '{"facts":1}')
    knowledge_queue.settle(tx, held.held, Counts(), End("failed", moment(2), "no room"))
    assert claim(tx) is None
    assert knowledge_queue.retry(tx, queued.run_id)
    again = claim(tx)
    assert again is not None
    assert (again.held.attempt, again.extraction) == (2, '{"facts":1}')
    assert tx.rows("SELECT error, finished_at FROM gb_remember_runs") == [
        {"error": "", "finished_at": None}
    ]


def test_a_text_that_is_only_stored_is_extracted_from_the_start(tx: Transaction) -> None:
    queue(tx, TEXT)
    held = claim(tx)
    assert held is not None
    knowledge_queue.keep_extraction(tx, held.held, '{"facts":1}')
    knowledge_queue.settle(tx, held.held, Counts(facts=1), End("stored_only", moment(2)))
    assert knowledge_queue.extract_stored(tx) == 1
    again = claim(tx)
    assert again is not None
    assert again.extraction is None


def test_a_postponed_text_waits_for_its_time_and_holds_up_nobody(tx: Transaction) -> None:
    queue(tx, TEXT)
    other = queue(tx, new_text("Another text."))
    held = claim(tx)
    assert held is not None
    assert knowledge_queue.postpone(tx, held.held, until=moment(60), error="overloaded")
    second = claim(tx, at=3)
    assert second is not None
    assert second.held.run_id == other.run_id
    knowledge_queue.complete(tx, second.held, Counts(), at=moment(4))
    assert claim(tx, at=59) is None
    assert knowledge_queue.next_due(tx) == moment(60)
    again = claim(tx, at=60)
    assert again is not None
    assert again.held == Held(held.held.run_id, 2)


def claim(
    tx: Transaction, *, at: int = 1, lease: str = LEASE
) -> knowledge_queue.Claimed | None:  # fmt: skip
    return knowledge_queue.claim(tx, at=moment(at), lease_until=lease)
