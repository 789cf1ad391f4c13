"""Bodies: what is packed is undone within bounds, and reading ends when nothing more can come."""

import gzip
import zlib

import pytest

from engine.web.body import BadEncoding, Body

CAP = 10_000
HEAD = gzip.compress(b"")[:10]


def fed(*pieces: bytes) -> Body:
    body = Body("gzip", lambda _: CAP)
    for piece in pieces:
        body.feed(piece)
    return body


def test_a_packed_body_that_has_ended_needs_nothing_more() -> None:
    body = fed(gzip.compress(b"one"), b"garbage")
    assert body.is_over
    body.feed(gzip.compress(b"two"))
    body.end()
    assert (bytes(body.data), body.is_broken, body.is_full) == (b"one", False, False)


def test_a_member_may_begin_between_any_two_pieces() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two")
    for cut in range(len(packed)):
        body = fed(packed[:cut], packed[cut:])
        body.end()
        assert (bytes(body.data), body.is_broken) == (b"one two", False)


@pytest.mark.parametrize(
    "piece",
    [b"\0\0\0\xff\xff" * 1000, b"\0" + b"\xff" * 1000],
    ids=["blocks of nothing", "no blocks at all"],
)
def test_packed_data_that_says_nothing_is_given_up(piece: bytes) -> None:
    body = fed(HEAD)
    fed_bytes = 0
    while not body.is_over:
        body.feed(piece)
        fed_bytes += len(piece)
    assert fed_bytes < 200_000
    with pytest.raises(BadEncoding):
        body.end()


def test_a_name_without_end_in_the_head_of_gzip_is_given_up() -> None:
    body = fed(b"\x1f\x8b\x08\x08\0\0\0\0\0\0", *[b"a" * 65_536] * 3)
    assert body.is_broken


def test_a_broken_body_ends_the_reading_and_keeps_what_came_before() -> None:
    packed = zlib.compressobj(9, zlib.DEFLATED, 31)
    begun = packed.compress(b"begun " * 1000) + packed.flush(zlib.Z_SYNC_FLUSH)
    body = fed(begun, b"\xff" * 100)
    assert body.is_over
    assert body.data.startswith(b"begun")


def test_members_of_nothing_are_not_counted_for_ever() -> None:
    body = fed(gzip.compress(b"one"), gzip.compress(b"") * 2_000)
    assert body.is_over
    assert bytes(body.data) == b"one"
