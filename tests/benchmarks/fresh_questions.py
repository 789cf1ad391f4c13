"""Questions on documents of other kinds, to see that the cue words fit more than one project.

Documentation of Python 3.11, the Debian policy, git 2.39, bash 5.2 and Postfix 3.7. Those of
GROWN were looked at while the word tables grew; those of HELD only when they were finished.
"""

from tests.benchmarks.questions import Asked, Must

GROWN = (
    Asked(
        "What is the global interpreter lock in Python?",
        (Must("only one thread executes Python bytecode at a time", "python/glossary.html"),),
    ),
    Asked(
        "How do I change the recursion limit in Python?",
        (Must("setrecursionlimit", "python/library/sys.html"),),
    ),
    Asked(
        "When is __del__ called in Python?",
        (Must("instance is about to be destroyed", "python/reference/datamodel.html"),),
    ),
    Asked(
        "Why are default parameter values shared between function calls in Python?",
        (Must("Default values are created exactly once", "python/faq/programming.html"),),
    ),
    Asked(
        "Which start methods does multiprocessing support in Python?",
        (
            Must("spawn", "python/library/multiprocessing.html"),
            Must("fork(?!server)", "python/library/multiprocessing.html"),
            Must("forkserver", "python/library/multiprocessing.html"),
        ),
    ),
    Asked(
        "Does asyncio.gather cancel the other awaitables when one fails?",
        (Must("won.t be cancelled and will continue to run", "python/library/asyncio-task.html"),),
    ),
    Asked(
        "Compare pickle and json in Python",
        (
            Must("text serialization format", "python/library/pickle.html"),
            Must("human-readable", "python/library/pickle.html"),
        ),
    ),
    Asked(
        "Which urgency values are allowed in a Debian changes file?",
        (Must("low, medium, high", "policy.html/(?:ch-controlfields|upgrading-checklist).html"),),
    ),
    Asked(
        "What is a virtual package in Debian?",
        (Must("Provides control field of another package", "ch-relationships.html"),),
    ),
    Asked(
        "What is the minimum length of a Debian package name?",
        (Must("at least two characters long", "ch-controlfields.html"),),
    ),
    Asked(
        "What is the difference between git fetch and git pull?",
        (Must("git pull runs git fetch", "git/git-pull.html"),),
    ),
    Asked(
        "Which merge strategies does git support?",
        tuple(
            Must(rf"\b{name}\b", "git/git-(?:merge|pull|rebase).html")
            for name in ("ort", "recursive", "resolve", "octopus", "ours", "subtree")
        ),
    ),
    Asked(
        "When does git gc run automatically?",
        (Must("6700", "git/(?:git-gc|git-config|technical/.*).html"),),
    ),
    Asked(
        "What is the difference between single quotes and double quotes in bash?",
        (
            Must("single quotes.* preserves the literal value of each", "bash/bash(?:ref)?.html"),
            Must("double quotes.* preserves the literal value of all", "bash/bash(?:ref)?.html"),
        ),
    ),
    Asked(
        "How long does Postfix keep mail in the queue?",
        (Must("maximal_queue_lifetime", "postfix/.*html"),),
    ),
    Asked("Does git support blockchain signatures?", (Must("blockchain"),), is_absent=True),
)

HELD = (
    Asked(
        "Since which version does Python support the match statement?",
        (Must(r"3\.10", "python/.*html"),),
    ),
    Asked(
        "What does the nonlocal statement do in Python?",
        (
            Must(
                "refer to previously bound variables in the nearest enclosing scope",
                "python/reference/simple_stmts.html",
            ),
        ),
    ),
    Asked(
        "What is the default value of maxsize in lru_cache?",
        (Must("maxsize ?= ?128", "python/library/functools.html"),),
    ),
    Asked(
        "Why is dict iteration order guaranteed in Python?",
        (Must("insertion order", "python/.*html"),),
    ),
    Asked(
        "How do I read a CSV file in Python?",
        (Must(r"csv\.reader|reader object", "python/library/csv.html"),),
    ),
    Asked(
        "Which exceptions can subprocess.run raise?",
        (
            Must("TimeoutExpired", "python/library/subprocess.html"),
            Must("CalledProcessError", "python/library/subprocess.html"),
        ),
    ),
    Asked(
        "Compare Recommends and Suggests in Debian",
        (
            Must("strong, but not absolute, dependency", "ch-relationships.html"),
            Must("one package may be more useful with", "ch-relationships.html"),
        ),
    ),
    Asked(
        "Where must configuration files be located according to Debian policy?",
        (Must("/etc", "debian-policy/.*html"),),
    ),
    Asked(
        "May a package modify conffiles of another package?",
        (Must("must not|conffile", "debian-policy/policy.html/.*html"),),
    ),
    Asked(
        "Does git stash save untracked files?",
        (Must("untracked", "git/git-stash.html"),),
    ),
    Asked(
        "What is a detached HEAD in git?",
        (Must("detached HEAD", "git/(?:gitglossary|git-checkout|glossary-content).html"),),
    ),
    Asked(
        "How do I undo the last commit in git?",
        (Must("reset|revert", "git/.*html"),),
    ),
    Asked(
        "When is the EXIT trap executed in bash?",
        (Must("executed on exit from the shell|when the shell exits", "bash/.*html"),),
    ),
    Asked(
        "Which startup files does bash read as a login shell?",
        (
            Must("/etc/profile", "bash/.*html"),
            Must(r"bash_profile", "bash/.*html"),
        ),
    ),
    Asked(
        "What is the default message size limit in Postfix?",
        (Must("10240000", "postfix/.*html"),),
    ),
    Asked(
        "Why does Postfix defer mail delivery?",
        (Must("temporary|temporarily|later", "postfix/.*html"),),
    ),
    Asked(
        "What is the difference between smtpd and smtp in Postfix?",
        (Must("smtpd", "postfix/.*html"),),
    ),
    Asked("Does bash run on a GraphQL server?", (Must("GraphQL"),), is_absent=True),
)
