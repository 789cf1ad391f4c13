"""What a database is to the engine: transactions are plain functions, reads are snapshots (D3)."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeAlias, TypeVar

Result = TypeVar("Result")

Value: TypeAlias = str | int | float | bytes | None
Row: TypeAlias = Mapping[str, Value]


class Transaction(Protocol):
    """What a transaction function may do. SQL is portable, with `?` for values (D2)."""

    def execute(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run one statement; the number of rows it changed."""
        ...

    def insert(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run one INSERT into a table with an `id`; the new id."""
        ...

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]: ...

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None: ...


Work: TypeAlias = Callable[[Transaction], Result]


class Reader(Protocol):
    """One consistent view of the database."""

    async def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]: ...

    async def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None: ...


class Database(Protocol):
    """The store. `write` runs `work` whole or not at all, also when its caller is cancelled.

    Both raise StoreError when the database fails; what `work` raises passes unchanged.
    """

    async def write(self, work: Work[Result]) -> Result: ...

    def reading(self) -> AbstractAsyncContextManager[Reader]: ...
