"""The embedders: MiniLM with its real weights, and the API against a real server on loopback."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from engine.domain.errors import ProviderError
from engine.knowledge.embedders import MINILM_DIMENSIONS, ApiEmbedder, ApiPlace, MiniLm, minilm

Answer = Callable[[dict[str, object]], tuple[int, object]]


async def test_minilm_tells_likeness_of_meaning() -> None:
    rows = await minilm().embed(
        [
            "Where is Ada employed?",
            "Ada works for a company called Acme.",
            "The salt of the sea is measured in grams per litre.",
        ]
    )
    assert rows.shape == (3, MINILM_DIMENSIONS)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert rows[0] @ rows[1] > 0.4 > 0.2 > rows[0] @ rows[2]


async def test_a_text_has_one_vector_whatever_stands_beside_it() -> None:
    embedder = minilm()
    alone = await embedder.embed(["Ada works at Acme."])
    among = await embedder.embed(["Rome", "Ada works at Acme.", "A longer text about the sea."])
    np.testing.assert_allclose(alone[0], among[1], atol=1e-5)


async def test_any_text_has_a_vector() -> None:
    rows = await minilm().embed(["", "北京", "\x00", "word " * 5_000])
    assert np.isfinite(rows).all()


async def test_weights_that_are_not_the_known_ones_are_refused(tmp_path: Path) -> None:
    spoiled = tmp_path / "model.onnx"
    spoiled.write_bytes(b"not a model")
    with pytest.raises(ProviderError, match="not the known weights"):
        await MiniLm(spoiled).embed(["Ada"])


def _by_length(asked: dict[str, object]) -> tuple[int, object]:
    """Answers in the wrong order, as a service may."""
    texts = asked["input"]
    assert isinstance(texts, list)
    data = [{"index": n, "embedding": [len(text), 1.0]} for n, text in enumerate(texts)]
    return 200, {"data": data[::-1]}


async def test_the_api_gives_a_vector_for_each_text_in_order() -> None:
    texts = ["x" * (n + 1) for n in range(40)]
    async with _served(_by_length) as (place, requests):
        rows = await ApiEmbedder(place).embed(texts)
    np.testing.assert_allclose(rows[:, 0] / rows[:, 1], range(1, 41), rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert [head.split(" ")[:2] for head in requests] == [["POST", "/v1/embeddings"]] * 3
    assert all("authorization: bearer secret" in head.lower() for head in requests)


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ((401, {"error": {"message": "bad key"}}), "status 401 \\(bad key\\)"),
        ((503, "busy"), "status 503"),
        ((200, {"data": []}), "one vector"),
        ((200, {"data": [{"index": 0, "embedding": [1]}, {"index": 1}]}), "one vector"),
        ((200, [1]), "one vector"),
    ],
)
async def test_an_answer_that_is_none_is_an_error(answer: tuple[int, object], what: str) -> None:
    async with _served(lambda _: answer) as (place, _):
        with pytest.raises(ProviderError, match=what):
            await ApiEmbedder(place).embed(["one", "two"])


async def test_a_service_that_is_not_there_is_an_error() -> None:
    async with _served(_by_length) as (place, _):
        pass
    with pytest.raises(ProviderError, match="embeddings: "):
        await ApiEmbedder(place).embed(["one"])


@asynccontextmanager
async def _served(answer: Answer) -> AsyncIterator[tuple[ApiPlace, list[str]]]:
    requests: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            int(line.split(":")[1])
            for line in head.splitlines()
            if line.lower().startswith("content-length:")
        )
        status, content = answer(json.loads(await reader.readexactly(length)))
        body = json.dumps(content).encode()
        requests.append(head)
        lines = (f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}", "Connection: close")
        writer.write("\r\n".join((*lines, "", "")).encode() + body)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        yield ApiPlace(f"http://127.0.0.1:{port}/v1", "model-1", "secret"), requests
