"""Takes a body apart within bounds: what a server sends may be endless, or grow a thousandfold.

Pure over the pieces it is fed; never holds more than the cap and one piece.
"""

import zlib
from collections.abc import Callable

from engine.web.sniff import SNIFF_BYTES

_GZIP = 16 + zlib.MAX_WBITS
_GZIP_MAGIC = b"\x1f\x8b"
_STEP_BYTES = 65_536
_MEMBERS_MOST = 1_000


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
        """More came than `most`: reading can end."""
        self.is_broken = False
        """The compressed data ended or broke before its end."""
        self._cap_of = cap_of
        self._most: int | None = None
        self._inflate = zlib.decompressobj(_GZIP) if wanted else None
        self._members = 0

    @property
    def is_compressed(self) -> bool:
        return self._inflate is not None

    def feed(self, piece: bytes) -> None:
        """Takes one piece as it came over the wire. Does nothing once it is full or broken."""
        if self.is_full or self.is_broken:
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
        waiting = piece
        while waiting and not self.is_full:
            assert self._inflate is not None
            if self._inflate.eof and not self._starts_member(waiting):
                return
            try:
                self._keep(self._inflate.decompress(waiting, _STEP_BYTES))
            except zlib.error:
                self.is_broken = True
                return
            waiting = self._inflate.unconsumed_tail or self._inflate.unused_data

    def _starts_member(self, waiting: bytes) -> bool:
        """Whether another gzip member follows; what follows a member else is passed over."""
        self._members += 1
        if not waiting.startswith(_GZIP_MAGIC) or self._members > _MEMBERS_MOST:
            return False
        self._inflate = zlib.decompressobj(_GZIP)
        return True
