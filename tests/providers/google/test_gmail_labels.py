"""Gmail's flat label names as a tree, and the labels a query names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import BadPayload
from mailkit.providers.google.gmail_labels import LabelBook, labels_from_wire, missing_notes
from mailkit.query import parse
from mailkit.values import Ref
from tests.providers.google.samples import sample


def book(*names: str) -> LabelBook:
    items = [{"id": f"Label_{at}", "name": name, "type": "user"} for at, name in enumerate(names, 1)]
    return labels_from_wire(items, "$.labels", account="home")


def ref(label_id: str) -> Ref:
    return Ref(account="home", kind="label", id=label_id)


def test_the_tree() -> None:
    read = labels_from_wire(sample("labels")["labels"], "$.labels", account="home")
    assert [(label.path, label.name, label.kind, label.role, label.parent) for label in read.labels] == [
        ("CATEGORY_PERSONAL", "CATEGORY_PERSONAL", "system", None, None),
        ("CHAT", "CHAT", "system", None, None),
        ("INBOX", "INBOX", "system", "inbox", None),
        ("TRASH", "TRASH", "system", "trash", None),
        ("family", "family", "label", None, None),
        ("Work", "Work", "label", None, None),
        ("Work/Clients/Acme", "Clients/Acme", "label", None, ref("Label_7")),
    ]
    assert [label.ref for label in read.labels][-1] == ref("Label_99")
    assert {label.total for label in read.labels} == {None}
    assert read.names == {"Label_99": "Work/Clients/Acme", "Label_7": "Work", "Label_12": "family"}


def test_the_parent_is_the_longest_label_there_is() -> None:
    read = book("1-TEST", "1-TEST/2-TEST", "1-TEST/3/TEST", "1-TESTX", "other/leaf", "/", "a/")
    tree = {label.path: (label.parent and label.parent.id, label.name) for label in read.labels}
    assert tree == {
        "1-TEST": (None, "1-TEST"),
        "1-TEST/2-TEST": ("Label_1", "2-TEST"),
        "1-TEST/3/TEST": ("Label_1", "3/TEST"),
        "1-TESTX": (None, "1-TESTX"),
        "other/leaf": (None, "other/leaf"),
        "/": (None, "/"),
        "a/": (None, "a/"),
    }


def test_names_are_exact_and_only_a_query_compares_keys() -> None:
    read = book("gog-pr-review")
    assert [label.path for label in read.labels] == ["gog-pr-review"]
    assert read.missing(parse('label:"gog/pr-review" label:GOG-PR-REVIEW')) == ()


def test_labels_that_do_not_exist_are_named_once() -> None:
    missing = book("Work").missing(parse("label:work -label:nope (label:nope OR label:other) in:inbox"))
    assert [note.term for note in missing_notes(missing, "home")] == ["label:nope", "label:other"]
    assert {note.code for note in missing_notes(missing, "home")} == {"no_such_label"}


@pytest.mark.parametrize(
    ("item", "path"),
    [
        ("x", "$.labels[1]"),
        ({"id": "Label_2"}, "$.labels[1].name"),
        ({"name": "x"}, "$.labels[1].id"),
        ({"id": 3, "name": "x"}, "$.labels[1].id"),
        ({"id": "Label_2", "name": "x", "type": []}, "$.labels[1].type"),
    ],
)
def test_a_broken_label_is_reported_and_the_rest_is_there(item: object, path: str) -> None:
    read = labels_from_wire([{"id": "INBOX", "name": "INBOX", "type": "system"}, item], "$.labels", account="home")
    assert [label.path for label in read.labels] == ["INBOX"]
    assert [problem.path for problem in read.problems] == [path]
    assert all(isinstance(problem, BadPayload) for problem in read.problems)


@given(st.lists(st.text(alphabet="a/", min_size=1, max_size=6), unique=True))
def test_parents_exist_and_with_the_leaf_make_the_path(names: list[str]) -> None:
    read = book(*names)
    paths = {label.ref: label.path for label in read.labels}
    assert sorted(paths.values()) == sorted(names)
    for label in read.labels:
        assert label.path == (f"{paths[label.parent]}/{label.name}" if label.parent else label.name)
