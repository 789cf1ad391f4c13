"""A name means the stored entity of its key; likeness alone is asked about and merges nothing."""

from engine.domain.decisions import EntityRef
from engine.knowledge.extracted import ExtractedEntity, ExtractedFact, Extraction
from engine.knowledge.resolve import (
    KnownEntity,
    Undecided,
    class_of,
    lookup_keys,
    questions,
    resolve,
    settle,
    value_ref,
)

IBM = KnownEntity(EntityRef("ibm"), "IBM", "company", alias_keys=("big blue",))
MERCURY_PLANET = KnownEntity(EntityRef("mercury"), "Mercury", "planet place")
MERCURY_GOD = KnownEntity(EntityRef("mercury", "person"), "Mercury", "person")


def named(*entities: ExtractedEntity) -> Extraction:
    return Extraction(entities)


def entity(name: str, type_: str = "thing", *aliases: str) -> ExtractedEntity:
    return ExtractedEntity(name, type_, aliases, name, name)


def test_a_name_means_the_stored_entity_of_its_key_or_alias() -> None:
    for name in ("ibm", "IBM", "“Big Blue”"):
        found = resolve(named(entity(name, "organisation")), [IBM], text="")
        assert found.ref(name) == IBM.ref
        assert found.undecided == ()
        assert [(one.ref, one.name) for one in found.entities] == [(IBM.ref, "IBM")]


def test_a_name_that_the_text_gives_an_alias_of_a_stored_entity_means_it() -> None:
    text = "International Business Machines (IBM) is old."
    found = resolve(
        named(entity("International Business Machines", "org", "IBM")), [IBM], text=text
    )
    [one] = found.entities
    assert (one.ref, one.aliases) == (IBM.ref, ("International Business Machines",))


def test_a_new_name_is_new_and_keeps_its_first_sentence() -> None:
    text = "It rained. Acme makes anvils. Acme is old."
    [one] = resolve(named(entity("Acme", "company", "ACME Corp")), [IBM], text=text).entities
    assert one.ref == EntityRef("acme")
    assert (one.mention, one.description, one.aliases) == (
        *("Acme", "Acme makes anvils.", ("ACME Corp",)),
    )


def test_a_like_name_is_asked_about_and_stays_apart_until_then() -> None:
    extraction = named(entity("International Business Machines", "company"))
    found = resolve(extraction, [IBM], text="")
    [pair] = found.undecided
    assert pair == Undecided("international business machines", IBM.ref)
    assert found.ref("International Business Machines") == EntityRef(pair.key)
    assert questions(found, [IBM]) == (
        ("International Business Machines (company)", "IBM (company; also: big blue)"),
    )
    for verdict in (None, "different"):
        kept = settle(found, [verdict])
        assert kept.ref("International Business Machines") == EntityRef(pair.key)


def test_the_verdict_same_joins_a_name_and_makes_it_an_alias() -> None:
    found = resolve(named(entity("International Business Machines", "company")), [IBM], text="")
    joined = settle(found, ["same"])
    assert joined.ref("International Business Machines") == IBM.ref
    [one] = joined.entities
    assert (one.ref, one.aliases) == (IBM.ref, ("International Business Machines",))


def test_a_like_name_of_another_class_is_not_even_asked_about() -> None:
    person = KnownEntity(EntityRef("ford"), "Ford", "person")
    assert (
        resolve(named(entity("Ford Motor Company", "company")), [person], text="").undecided == ()
    )


def test_an_equal_name_of_another_class_is_asked_about_and_told_apart() -> None:
    found = resolve(named(entity("Mercury", "person")), [MERCURY_PLANET], text="")
    assert found.ref("Mercury") == EntityRef("mercury", "person")
    assert [pair.known for pair in found.undecided] == [MERCURY_PLANET.ref]
    assert settle(found, ["same"]).ref("Mercury") == MERCURY_PLANET.ref


def test_of_two_stored_entities_of_one_name_the_class_decides() -> None:
    known = [MERCURY_PLANET, MERCURY_GOD]
    assert resolve(named(entity("Mercury", "person")), known, text="").ref("Mercury") == (
        MERCURY_GOD.ref
    )
    unclear = resolve(named(entity("Mercury")), known, text="")
    assert unclear.ref("Mercury") == MERCURY_PLANET.ref
    assert [pair.known for pair in unclear.undecided] == [MERCURY_GOD.ref]


def test_names_that_the_text_joins_are_one_entity() -> None:
    found = resolve(
        named(entity("Acme Corporation", "", "Acme"), entity("Acme", "org")), [], text=""
    )
    assert len(found.entities) == 1
    assert found.ref("Acme") == found.ref("Acme Corporation")


def test_values_are_themselves_and_no_entities() -> None:
    fact = ExtractedFact("Cell X", "reached", "IBM", "", "", target_is_value=True)
    found = resolve(Extraction((entity("Cell X"),), (fact,)), [IBM], text="")
    [_, value] = found.entities
    assert (value.ref, value.is_value) == (value_ref("IBM"), True)
    assert found.ref("IBM", is_value=True) == value.ref != IBM.ref


def test_the_order_of_the_stored_rows_does_not_matter() -> None:
    extraction = named(entity("Mercury"), entity("Big Blues", "company"))
    known = [IBM, MERCURY_PLANET, MERCURY_GOD]
    assert resolve(extraction, known, text="") == resolve(extraction, known[::-1], text="")


def test_every_name_and_alias_is_looked_up_by_its_key() -> None:
    extraction = named(entity("O’Brien", "", "OB"), entity("北京"), entity("ob"))
    assert lookup_keys(extraction) == ("o'brien", "ob", "北京")


def test_the_class_of_a_type_is_read_from_its_last_word() -> None:
    assert [class_of(type_) for type_ in ("Software Company", "capital city", "idea", "")] == [
        *("organisation", "place", "", "")
    ]
