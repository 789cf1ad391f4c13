"""Vectors: stored as they were made, loaded once, nearest first."""

from functools import partial

import numpy as np
import pytest

from engine.knowledge.vectors import Matrices, Matrix, normalised
from engine.store import knowledge_vectors
from engine.store.knowledge_vectors import Vector, Which
from engine.store.sqlite import SqliteDatabase

FACTS = Which(1, "fact", "model-1")


def _vector(ref: int, *numbers: float) -> Vector:
    return Vector(ref, np.array(numbers, "<f4").tobytes())


async def _put(database: SqliteDatabase, which: Which, *vectors: Vector) -> None:
    await database.write(partial(knowledge_vectors.put, which=which, vectors=vectors))


async def test_vectors_come_back_as_they_were_by_ascending_id(database: SqliteDatabase) -> None:
    await _put(database, FACTS, _vector(9, 0, 1), _vector(3, 1, 0))
    matrix = await Matrices(database).matrix(FACTS)
    assert matrix.refs.tolist() == [3, 9]
    assert matrix.rows.tolist() == [[1, 0], [0, 1]]


async def test_other_datasets_kinds_and_models_stay_apart(database: SqliteDatabase) -> None:
    others = [FACTS._replace(dataset_id=2), FACTS._replace(kind="sentence")]
    others.append(FACTS._replace(model="model-2"))
    for number, which in enumerate(others):
        await _put(database, which, _vector(number + 1, 1, 0))
    assert not len((await Matrices(database).matrix(FACTS)).refs)


async def test_new_vectors_are_appended_and_old_ones_not_read_again(
    database: SqliteDatabase,
) -> None:
    matrices = Matrices(database)
    await _put(database, FACTS, _vector(1, 1, 0))
    await matrices.matrix(FACTS)
    await database.write(lambda tx: tx.execute("DELETE FROM gb_vectors"))
    await _put(database, FACTS, _vector(2, 0, 1))
    assert (await matrices.matrix(FACTS)).refs.tolist() == [1, 2]
    matrices.drop(FACTS.dataset_id)
    assert (await matrices.matrix(FACTS)).refs.tolist() == [2]


async def test_only_so_many_matrices_are_kept(database: SqliteDatabase) -> None:
    matrices = Matrices(database, most=1)
    await _put(database, FACTS, _vector(1, 1, 0))
    first = await matrices.matrix(FACTS)
    await matrices.matrix(FACTS._replace(dataset_id=2))
    assert await matrices.matrix(FACTS) is not first


async def test_a_vector_made_again_replaces_the_old_one(database: SqliteDatabase) -> None:
    await _put(database, FACTS, _vector(1, 1, 0))
    await _put(database, FACTS, _vector(1, 0, 1))
    assert (await Matrices(database).matrix(FACTS)).rows.tolist() == [[0, 1]]


def test_the_nearest_come_first_and_equals_by_id() -> None:
    rows = normalised(np.array([[1.0, 0], [0, 1], [1, 0], [1, 1]]))
    matrix = Matrix(np.array([10, 20, 30, 40]), rows)
    assert matrix.nearest(np.array([1, 0], np.float32), 3).tolist() == [10, 30, 40]
    assert matrix.nearest(np.array([1, 0], np.float32), 99).tolist() == [10, 30, 40, 20]
    assert not len(Matrix().nearest(np.array([1, 0], np.float32), 3))


def test_rows_get_the_length_one_but_for_zeros() -> None:
    rows = normalised(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert rows.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 0]]
