"""Labels made, dressed, renamed and deleted over Gmail's interface; the addresses one sends as."""

from __future__ import annotations

from typing import Any

import pytest

from mailkit.sandbox import Mail, Sandbox
from tests.support.gmail import Gmail, error

_RED = {"textColor": "#ffffff", "backgroundColor": "#cc3a21"}


@pytest.fixture
def gmail() -> Gmail:
    sandbox = Sandbox()
    return Gmail(sandbox, sandbox.google("ann@example.com", name="Ann Lee", aliases=["a.lee@example.com"]))


def _label(gmail: Gmail, name: str, **more: Any) -> dict[str, Any]:
    return gmail.told("/labels", {"name": name, **more})


def test_a_label_is_made_and_can_be_used(gmail: Gmail) -> None:
    made = _label(gmail, "Work/Clients", color=_RED, labelListVisibility="labelHide")
    assert made == {
        "id": made["id"],
        "name": "Work/Clients",
        "messageListVisibility": "show",
        "labelListVisibility": "labelHide",
        "type": "user",
        "color": _RED,
    }
    assert gmail.get("/labels")["labels"][-1] == made
    id_ = gmail.box.add(Mail())
    gmail.told(f"/messages/{id_}/modify", {"addLabelIds": [made["id"]]})
    assert gmail.find("label:work-clients") == [id_]
    assert gmail.get(f"/labels/{made['id']}")["messagesTotal"] == 1


def test_a_patch_changes_what_it_names_and_an_update_all(gmail: Gmail) -> None:
    made = _label(gmail, "Work", color=_RED, labelListVisibility="labelHide")
    path = f"/labels/{made['id']}"
    assert gmail.told(path, {"messageListVisibility": "hide"}, method="PATCH") == {
        **made,
        "messageListVisibility": "hide",
    }
    other = {"textColor": "#000000", "backgroundColor": "#fad165"}
    assert gmail.told(path, {"color": other}, method="PATCH")["color"] == other
    assert gmail.told(path, {"id": made["id"], "name": "Job"}, method="PUT") == {
        "id": made["id"],
        "name": "Job",
        "messageListVisibility": "show",
        "labelListVisibility": "labelShow",
        "type": "user",
    }


def test_a_renamed_label_keeps_its_id_and_its_messages(gmail: Gmail) -> None:
    both = [gmail.box.add(Mail(labels=["Work", "Other"])), gmail.box.add(Mail(folder="Work"))]
    label = gmail.box.labels["Work"].id
    assert gmail.told(f"/labels/{label}", {"name": "work"}, method="PATCH")["name"] == "work"
    assert gmail.told(f"/labels/{label}", {"name": "Job"}, method="PATCH")["id"] == label
    assert sorted(gmail.find("label:job")) == sorted(gmail.ids(("labelIds", label))) == sorted(both)
    assert gmail.find("label:work") == []
    assert gmail.find("label:other") == both[:1]


def test_a_deleted_label_leaves_its_messages(gmail: Gmail) -> None:
    id_ = gmail.box.add(Mail(labels=["Work", "Other"]))
    label = gmail.box.labels["Work"].id
    assert gmail.tell(f"/labels/{label}", method="DELETE").status_code == 204
    assert gmail.get(f"/messages/{id_}")["labelIds"] == ["UNREAD", "INBOX", gmail.box.labels["Other"].id]
    assert gmail.refused(f"/labels/{label}") == (404, "notFound")
    assert _label(gmail, "Work")["id"] not in (label, gmail.box.labels["Other"].id)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"name": "Work"}, 409),
        ({"name": "wORK"}, 409),
        ({}, 400),
        ({"name": ""}, 400),
        ({"name": "A//B"}, 400),
        ({"name": "/A"}, 400),
        ({"name": "inbox"}, 400),
        ({"name": "Category_Social"}, 400),
        ({"name": "New", "color": {"textColor": "#ffffff", "backgroundColor": "#123456"}}, 400),
        ({"name": "New", "color": {"textColor": "ffffff", "backgroundColor": "#ffffff"}}, 400),
        ({"name": "New", "color": {"textColor": "#ffffff"}}, 400),
        ({"name": "New", "labelListVisibility": "show"}, 400),
        ({"name": "New", "messageListVisibility": 1}, 400),
        ({"name": "New", "colour": {}}, 400),
    ],
)
def test_labels_that_cannot_be(gmail: Gmail, body: dict[str, object], status: int) -> None:
    _label(gmail, "Work")
    other = _label(gmail, "Other")
    before = gmail.get("/labels")
    assert error(gmail.tell("/labels", body))[0] == status
    assert error(gmail.tell(f"/labels/{other['id']}", body, method="PUT"))[0] == status
    assert gmail.get("/labels") == before


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_gmails_own_labels_stay(gmail: Gmail, method: str) -> None:
    body = None if method == "DELETE" else {"name": "Mine"}
    assert error(gmail.tell("/labels/INBOX", body, method=method))[0] == 400
    assert error(gmail.tell("/labels/Label_7", body, method=method))[0] == 404


@pytest.mark.parametrize(("scope", "reads"), [("gmail.labels", True), ("gmail.readonly", False)])
def test_who_may_write_labels(scope: str, reads: bool) -> None:
    sandbox = Sandbox()
    gmail = Gmail(sandbox, sandbox.google("ann@example.com", scopes=[f"https://www.googleapis.com/auth/{scope}"]))
    assert gmail.get("/labels")
    assert gmail.tell("/labels", {"name": "Work"}).status_code == (200 if reads else 403)


def test_the_addresses_one_sends_as(gmail: Gmail) -> None:
    own, alias = gmail.get("/settings/sendAs")["sendAs"]
    assert (own["sendAsEmail"], own["displayName"], own["isPrimary"]) == ("ann@example.com", "Ann Lee", True)
    assert (alias["sendAsEmail"], alias["verificationStatus"]) == ("a.lee@example.com", "accepted")
    assert gmail.get("/settings/sendAs/A.Lee@example.com") == alias
    assert gmail.refused("/settings/sendAs/eve@example.com") == (404, "notFound")
    assert gmail.get("/settings/sendAs", ("fields", "sendAs/sendAsEmail")) == {
        "sendAs": [{"sendAsEmail": "ann@example.com"}, {"sendAsEmail": "a.lee@example.com"}]
    }
