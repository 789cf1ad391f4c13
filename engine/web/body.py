"""Takes a body apart within bounds: what a server sends may be endless, or grow a thousandfold.

Pure over the pieces it is fed; never holds more than the cap and one piece.
"""

import zlib
from collections.abc import Callable

from engine.web.sniff import SNIFF_BYTES

_GZIP = 16 + zlib.MAX_WBITS
GZIP_MAGIC = b"\x1f\x8b"
_STEP_BYTES = 65_536
_MEMBERS_MOST = 1_000
_OVERHEAD_MOST_BYTES = 131_072
"""Compressed data that is so much longer than what may come out of it has nothing to say."""


class BadEncoding(ValueError):
    """The encoding of a body is not one that is read, or its data is broken from the start."""


class Body:
    """Collects the decoded bytes of a body up to a cap that depends on what they are."""

    def __init__(self, encoding: str, cap_of: Callable[[bytes], int]) -> None:
        """`cap_of` is asked once, with the first KiB (or all of a shorter body), and may raise.

        Raises BadEncoding for every `Content-Encoding` but none, identity and one gzip.
        """
        names = [name.strip().lower() for name in encoding.split(",")]
        wanted = [name for name in names if name not in ("", "identity")]
        if wanted and wanted not in (["gzip"], ["x-gzip"]):
            raise BadEncoding(f"unsupported encoding {', '.join(wanted)}")
        self.data = bytearray()
        self.is_full = False
        """More came than `most`."""
        self.is_broken = False
        """The compressed data ended or broke before its end."""
        self._cap_of = cap_of
        self._most: int | None = None
        self._inflate = zlib.decompressobj(_GZIP) if wanted else None
        self._members = 0
        self._packed_bytes = 0
        self._held = b""
        self._has_ended = False

    @property
    def is_over(self) -> bool:
        """Nothing that follows would be kept: reading can end."""
        return self.is_full or self.is_broken or self._has_ended

    @property
    def is_compressed(self) -> bool:
        return self._inflate is not None

    def feed(self, piece: bytes) -> None:
        """Takes one piece as it came over the wire. Does nothing once it is over."""
        if self.is_over:
            return
        if self._inflate is None:
            self._keep(piece)
        else:
            self._feed_gzip(piece)

    def end(self) -> None:
        """Nothing follows. Raises BadEncoding when nothing could be decoded, else as `cap_of`."""
        if self._inflate is not None and not self.is_full and not self._inflate.eof:
            self.is_broken = True
        if self.is_broken and not self.data:
            raise BadEncoding("its gzip data is broken")
        self._cut(at_end=True)

    def _keep(self, piece: bytes) -> None:
        self.data += piece
        self._cut(at_end=False)

    def _cut(self, *, at_end: bool) -> None:
        if self._most is None:
            if len(self.data) < SNIFF_BYTES and not at_end:
                return
            self._most = self._cap_of(bytes(self.data[:SNIFF_BYTES]))
        if len(self.data) > self._most:
            del self.data[self._most :]
            self.is_full = True

    def _feed_gzip(self, piece: bytes) -> None:
        self._packed_bytes += len(piece)
        waiting, self._held = self._held + piece, b""
        while waiting and not self.is_over:
            waiting = self._inflated(waiting)
        if self._packed_bytes > (self._most or 0) + _OVERHEAD_MOST_BYTES and not self._has_ended:
            self.is_broken = True

    def _inflated(self, waiting: bytes) -> bytes:
        """Takes a part of `waiting`; the rest of it."""
        assert self._inflate is not None
        if self._inflate.eof:
            if waiting == GZIP_MAGIC[:1]:
                self._held = waiting
                return b""
            self._start_member(waiting)
            if self._has_ended:
                return b""
        try:
            self._keep(self._inflate.decompress(waiting, _STEP_BYTES))
        except zlib.error:
            self.is_broken = True
        return self._inflate.unconsumed_tail or self._inflate.unused_data

    def _start_member(self, waiting: bytes) -> None:
        """Another gzip member may follow one; anything else after it ends the body."""
        self._members += 1
        if waiting.startswith(GZIP_MAGIC) and self._members <= _MEMBERS_MOST:
            self._inflate = zlib.decompressobj(_GZIP)
        else:
            self._has_ended = True
