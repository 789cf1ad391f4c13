"""An app of one tab that does one thing, in the packets that Textual's driver of browsers speaks.

`python -m tests.surfaces.tab_program WHAT`: `echo` draws the keys it is sent and how wide it is;
`broken` says why it cannot start, with a control sequence; `stubborn` hears no quit; `asking` asks
the browser for things.
"""

import json
import signal
import sys
from typing import Any

BAD_NEWS = "the data cannot be read\x1b]0;mine\x07: see the log"
ADDRESS = "https://example.org/page"


def main(what: str) -> int:
    if what == "broken":
        sys.stderr.write(BAD_NEWS)
        return 3
    say(b"", b"a line that no one expects\n__GANGLION__\n")
    say(b"D", b"ready")
    if what == "asking":
        for request in ({"type": "open_url", "url": url, "new_tab": True} for url in URLS):
            say(b"M", json.dumps(request).encode())
        say(b"M", b'{"type": "deliver_file_start", "key": "k"}')
        say(b"D", b"asked")
    while packet := sys.stdin.buffer.read(5):
        payload = sys.stdin.buffer.read(int.from_bytes(packet[1:], "big"))
        if packet[:1] == b"D":
            say(b"D", b"<" + payload + b">")
        elif not told(json.loads(payload)) and what != "stubborn":
            return 0
    if what == "stubborn":
        signal.pause()
    return 0


URLS = (f"javascript:alert('{ADDRESS}')", "file:///etc/passwd", ADDRESS)


def told(meta: dict[str, Any]) -> bool:
    """Whether the app goes on after it was told this."""
    if meta["type"] == "resize":
        say(b"D", f"{meta['width']} by {meta['height']}".encode())
    elif meta["type"] != "quit":
        say(b"D", str(meta["type"]).encode())
    return bool(meta["type"] != "quit")


def say(kind: bytes, payload: bytes) -> None:
    head = kind + len(payload).to_bytes(4, "big") if kind else b""
    sys.stdout.buffer.write(head + payload)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
