"""The research that anybody can watch at once: the handbook, which needs no key and no network."""

from engine.api import OFFLINE_MODEL, DocsFolder, StartRequest

DEMO_TOPIC = (
    "What happens when a source cannot be read, and how are the quotations of a report checked?"
)


def demo_request(user: str, handbook: str) -> StartRequest:
    """`handbook` is the absolute path of its folder."""
    docs = (DocsFolder("handbook", handbook),)
    return StartRequest(DEMO_TOPIC, user, model=OFFLINE_MODEL, docs=docs)
