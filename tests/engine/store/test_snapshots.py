"""Snapshots: one row per content."""

from dataclasses import replace

from engine.domain.exchange import Reading
from engine.store import snapshots
from engine.store.sqlite import SqliteDatabase
from tests.engine.store.support import at

READ = Reading("https://a.example/x", "https://a.example/y", "text/html", "Salt", "Ö, 7 ‰ 😀")


async def test_the_same_text_is_stored_once_wherever_it_was_read(database: SqliteDatabase) -> None:
    elsewhere = replace(READ, url="https://b.example", title="Other", media_type="text/plain")
    first = await database.write(lambda tx: snapshots.keep(tx, READ, at=at(1)))
    other = await database.write(lambda tx: snapshots.keep(tx, replace(READ, text="x"), at=at(2)))
    again = await database.write(lambda tx: snapshots.keep(tx, elsewhere, at=at(3)))
    assert first == again != other
    async with database.reading() as reader:
        stored = await snapshots.get(reader, first)
        assert await snapshots.get(reader, 99) is None
    assert stored is not None
    assert (stored.text, stored.chars, stored.title) == (READ.text, 8, "Salt")
    assert (stored.media_type, stored.created_at) == ("text/html", at(1))
    assert stored.sha256 == ("aa38a9decf2d89915e863caf23b961c3e741fb76a053c14508a00724827b68cc")


async def test_an_empty_text_is_a_content_too(database: SqliteDatabase) -> None:
    kept = await database.write(lambda tx: snapshots.keep(tx, replace(READ, text=""), at=at(1)))
    async with database.reading() as reader:
        stored = await snapshots.get(reader, kept)
    assert stored is not None
    assert (stored.text, stored.chars) == ("", 0)
