"""Fifteen questions on the documentation of SQLite 3.40 and PostgreSQL 15, and what a good report
quotes for them (the facts were checked in the pages).
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Must:
    """A line of the report that cites a page ending in `page` has to match `pattern`."""

    pattern: str
    """A regular expression, any case; white space matches any white space."""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    musts: tuple[Must, ...]
    is_absent: bool = False
    """True when the documents do not say: the report must say so and quote little."""
    section: str = ""
    """A heading of the report under which the last fact has to stand."""


QUESTIONS = (
    Asked(
        "Compare SQLite rollback journal and WAL mode",
        (
            Must("readers do not block writers", "sqlite/wal.html"),
            Must("does not work over a network filesystem", "sqlite/wal.html"),
        ),
    ),
    Asked(
        "What is the maximum size of a SQLite database?",
        (
            Must("281 terabytes", "sqlite/limits.html"),
            Must("4294967294 pages", "sqlite/limits.html"),
            Must("2147483646 pages", "sqlite/fileformat2?.html"),
        ),
        section="Numbers that differ",
    ),
    Asked(
        "How does PostgreSQL detect deadlocks?",
        (
            Must("aborting one of the transactions", "postgresql/explicit-locking.html"),
            Must(
                "amount of time to wait on a lock before checking|deadlock_timeout",
                "postgresql/runtime-config-locks.html",
            ),
        ),
    ),
    Asked(
        "Since which version does SQLite support UPSERT?",
        (Must(r"3\.24\.0 \(2018-06-04\)", "sqlite/lang_upsert.html"),),
    ),
    Asked(
        "Does VACUUM lock the table in PostgreSQL?",
        (
            Must(
                "in parallel with normal reading and writing of the table, as an exclusive lock "
                "is not obtained",
                "postgresql/sql-vacuum.html",
            ),
            Must("ACCESS EXCLUSIVE", "postgresql/(?:sql-vacuum|routine-vacuuming).html"),
        ),
    ),
    Asked(
        "List the transaction isolation levels in PostgreSQL",
        (
            Must("Read Committed.*default", "postgresql/transaction-iso.html"),
            Must("Repeatable Read", "postgresql/transaction-iso.html"),
            Must("Serializable", "postgresql/transaction-iso.html"),
            Must("only three distinct", "postgresql/transaction-iso.html"),
        ),
    ),
    Asked(
        "Which index types does PostgreSQL support?",
        tuple(
            Must(rf"(?<![\w-]){name}(?![\w-])", "postgresql/indexes-types.html")
            for name in ("B-tree", "Hash", "GiST", "SP-GiST", "GIN", "BRIN")
        ),
    ),
    Asked(
        "Why does SQLite return SQLITE_BUSY in WAL mode?",
        (
            Must("exclusive locking mode", "sqlite/wal.html"),
            Must("last connection .*clos", "sqlite/wal.html"),
            Must("crash.*recover|recover.*crash", "sqlite/wal.html"),
        ),
    ),
    Asked(
        "When does autovacuum run in PostgreSQL?",
        (
            Must("autovacuum_naptime", "postgresql/routine-vacuuming.html"),
            Must(
                r"vacuum threshold = vacuum base threshold \+ vacuum scale factor \* number of",
                "postgresql/routine-vacuuming.html",
            ),
        ),
    ),
    Asked(
        "When does a checkpoint happen in PostgreSQL?",
        (
            Must(
                "every checkpoint_timeout seconds, or if max_wal_size is about to be exceeded, "
                "whichever comes first",
                "postgresql/wal-configuration.html",
            ),
            Must("5 minutes and 1 GB", "postgresql/wal-configuration.html"),
        ),
    ),
    Asked(
        "Compare json and jsonb types in PostgreSQL",
        (
            Must("exact copy of the input text", "postgresql/datatype-json.html"),
            Must("reparse", "postgresql/datatype-json.html"),
            Must("decomposed binary format", "postgresql/datatype-json.html"),
            Must("supports indexing", "postgresql/datatype-json.html"),
        ),
    ),
    Asked(
        "How do I enable foreign keys in SQLite?",
        (
            Must("PRAGMA foreign_keys ?= ?ON", "sqlite/foreignkeys.html"),
            Must(
                "disabled by default.*enabled separately for each database connection",
                "sqlite/foreignkeys.html",
            ),
        ),
    ),
    Asked(
        "What is TOAST and when is data compressed?",
        (
            Must("The Oversized-Attribute Storage Technique", "postgresql/storage-toast.html"),
            Must("wider than TOAST_TUPLE_THRESHOLD", "postgresql/storage-toast.html"),
            Must("2 kB", "postgresql/storage-toast.html"),
        ),
    ),
    Asked(
        "How do SQLite and PostgreSQL differ in handling concurrent writers?",
        (
            Must("only allow one writer at any instant", "sqlite/whentouse.html"),
            Must("reading never blocks writing", "postgresql/mvcc-intro.html"),
        ),
    ),
    Asked(
        "Does PostgreSQL support sharding on Kubernetes?",
        (Must("kubernetes"),),
        is_absent=True,
    ),
)

EXTRA = (
    Asked(
        "How do SQLite and PostgreSQL differ in the way they reclaim space?",
        (Must(".", "docs://sqlite/.*"), Must(".", "docs://postgresql/.*")),
    ),
)

LATE = (
    Asked(
        "How many columns can a table have in SQLite?",
        (Must("2000|32767", "sqlite/limits.html"),),
    ),
    Asked(
        "What is the maximum number of columns in a PostgreSQL table?",
        (Must("1,600", "postgresql/limits.html"),),
    ),
    Asked(
        "What is the default value of checkpoint_timeout in PostgreSQL?",
        (Must(r"five minutes \(5min\)|5 minutes", "postgresql/.*html"),),
    ),
    Asked(
        "Which isolation level is the default in PostgreSQL?",
        (Must("Read Committed is the default", "postgresql/transaction-iso.html"),),
    ),
    Asked(
        "How do I create an index without locking out writes in PostgreSQL?",
        (Must("CONCURRENTLY", "postgresql/sql-createindex.html"),),
    ),
    Asked(
        "What is a WITHOUT ROWID table in SQLite?",
        (Must("WITHOUT ROWID.*rowid|PRIMARY KEY", "sqlite/withoutrowid.html"),),
    ),
    Asked(
        "When was the RETURNING clause added to SQLite?",
        (Must(r"3\.35\.0 \(2021-03-12\)", "sqlite/.*html"),),
    ),
    Asked(
        "How can I back up a SQLite database while it is in use?",
        (Must("backup API|VACUUM INTO|sqlite3_backup", "sqlite/.*html"),),
    ),
    Asked(
        "What is the difference between CREATE USER and CREATE ROLE in PostgreSQL?",
        (
            Must(
                "(?:alias for|equivalent to|same as) CREATE ROLE",
                "postgresql/(?:sql-createuser|sql-createrole|role-attributes).html",
            ),
        ),
    ),
    Asked(
        "Which values does wal_sync_method accept?",
        (
            Must("open_datasync", "postgresql/runtime-config-wal.html"),
            Must("fsync_writethrough", "postgresql/runtime-config-wal.html"),
        ),
    ),
    Asked(
        "How long can an identifier be in PostgreSQL?",
        (Must("63 bytes", "postgresql/(?:sql-syntax-lexical|limits).html"),),
    ),
    Asked(
        "What are the storage classes of SQLite?",
        tuple(
            Must(rf"\b{name}\b", "sqlite/datatype3.html")
            for name in ("NULL", "INTEGER", "REAL", "TEXT", "BLOB")
        ),
    ),
    Asked(
        "Can SQLite be used by several threads?",
        (Must("Serialized|Multi-thread", "sqlite/threadsafe.html"),),
    ),
    Asked(
        "What is a generated column in PostgreSQL?",
        (
            Must(
                "special column that is always computed from other columns",
                "postgresql/ddl-generated-columns.html",
            ),
        ),
    ),
    Asked(
        "Why should AUTOINCREMENT be avoided in SQLite?",
        (Must("extra CPU, memory, disk space", "sqlite/autoinc.html"),),
    ),
    Asked(
        "Which kinds of temporary files does SQLite use?",
        (
            Must("Rollback journals", "sqlite/tempfiles.html"),
            Must("Super-journals", "sqlite/tempfiles.html"),
        ),
    ),
    Asked("Does SQLite support Elasticsearch indexes?", (Must("Elasticsearch"),), is_absent=True),
    Asked(
        "How do SQLite and PostgreSQL differ in the data types they have?",
        (Must(".", "docs://sqlite/.*"), Must(".", "docs://postgresql/.*")),
    ),
)
"""Asked after the word tables were finished."""

_OTHER_WORDS = (
    "What's the difference between the rollback journal and WAL mode in SQLite?",
    "How big can a SQLite database get?",
    "How are deadlocks detected in PostgreSQL?",
    "When did SQLite get UPSERT?",
    "Is the table locked during VACUUM in PostgreSQL?",
    "What transaction isolation levels are there in PostgreSQL?",
    "What kinds of indexes are available in PostgreSQL?",
    "Why do I get SQLITE_BUSY in WAL mode?",
    "How often does autovacuum run in PostgreSQL?",
    "What triggers a checkpoint in PostgreSQL?",
    "json vs jsonb in PostgreSQL",
    "How are foreign keys turned on in SQLite?",
    "What does TOAST mean and when are values compressed?",
    "Concurrent writers: SQLite versus PostgreSQL",
    "Can PostgreSQL be sharded with Kubernetes?",
)
PARAPHRASED = tuple(
    replace(asked, question=question)
    for asked, question in zip(QUESTIONS, _OTHER_WORDS, strict=True)
)
"""The fifteen in other words, with the same facts."""
