from __future__ import annotations

from typing import Any

import pytest

from mailkit.sandbox import Fault, Mail
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import IMMUTABLE, Graph


def folders(graph: Graph, path: str = "/me/mailFolders") -> dict[str, str]:
    return {row["displayName"]: row["id"] for row in graph.json(path, top="100")["value"]}


# -- messages --------------------------------------------------------------------------------------------------------


def test_a_move_changes_the_id_that_is_not_immutable(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(Mail(subject="Hello"))
    before = graph.json(f"/me/messages/{key}")
    moved = graph.made(f"/me/messages/{before['id']}/move", {"destinationId": "archive"}, prefer="")
    assert moved["id"] != before["id"]
    assert (moved["parentFolderId"], moved["subject"]) == (folders(graph)["Archive"], "Hello")
    assert graph.refusal(f"/me/messages/{before['id']}") == (404, "ErrorItemNotFound")
    back = graph.made(f"/me/messages/{key}/move", {"DestinationId": folders(graph)["Inbox"]})
    assert back["id"] == key
    assert graph.json(f"/me/messages/{before['id']}")["subject"] == "Hello"


def test_a_copy_is_a_message_of_its_own(box: MicrosoftMailbox, graph: Graph) -> None:
    raw = b"Subject: Hello\r\nMessage-ID: <a@b.example>\r\n\r\nx"
    key = box.load_eml(raw, labels=["Work"])
    made = graph.made(f"/me/messages/{key}/copy", {"destinationId": "archive"})
    assert made["id"] != key
    parent = graph.json(f"/me/messages/{key}")
    for name in ("conversationId", "internetMessageId", "receivedDateTime", "categories"):
        assert made[name] == parent[name]
    assert graph.get(f"/me/messages/{made['id']}/$value").content == raw
    assert graph.write("DELETE", f"/me/messages/{key}").status_code == 204
    assert graph.subjects() == ["Hello"]


def test_a_draft_stays_one_wherever_it_lies(box: MicrosoftMailbox, graph: Graph) -> None:
    draft = graph.made("/me/messages", {"subject": "Plan"})["id"]
    assert graph.made(f"/me/messages/{draft}/move", {"destinationId": "archive"})["isDraft"] is True
    assert graph.made(f"/me/messages/{draft}/copy", {"destinationId": "inbox"})["isDraft"] is True
    came = box.add(Mail())
    assert graph.made(f"/me/messages/{came}/move", {"destinationId": "drafts"})["isDraft"] is False


@pytest.mark.parametrize("body", [None, {}, {"destinationId": 5}, {"destinationId": ""}, {"folder": "archive"}])
def test_moves_need_a_place_to_go(box: MicrosoftMailbox, graph: Graph, body: dict[str, Any] | None) -> None:
    assert graph.refused("POST", f"/me/messages/{box.add(Mail())}/move", body) == (400, "RequestBodyRead")


def test_moves_to_nowhere(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(Mail())
    assert graph.refused("POST", f"/me/messages/{key}/move", {"destinationId": "none"}) == (404, "ErrorItemNotFound")
    assert graph.refused("POST", "/me/messages/none/move", {"destinationId": "inbox"}) == (404, "ErrorItemNotFound")


def test_a_batch_changes_many_and_each_part_is_judged(box: MicrosoftMailbox, graph: Graph) -> None:
    keys = [box.add(Mail(subject=str(number))) for number in range(3)]
    box.script(Fault.rate_limited(7, part=True, path=keys[1]))
    json = {"Content-Type": "application/json"}
    parts = [
        {
            "id": str(number),
            "method": "POST",
            "url": f"/me/messages/{key}/move",
            "headers": {**json, "Prefer": IMMUTABLE},
            "body": {"destinationId": "archive"},
        }
        for number, key in enumerate([*keys, "none"])
    ]
    whole = graph.batch(*parts, {"id": "d", "method": "DELETE", "url": f"/me/messages/{keys[0]}", "dependsOn": ["0"]})
    found = {part["id"]: part for part in whole.json()["responses"]}
    assert {key: part["status"] for key, part in found.items()} == {"0": 201, "1": 429, "2": 201, "3": 404, "d": 204}
    assert found["1"]["headers"]["Retry-After"] == "7"
    assert "body" not in found["d"]
    assert found["2"]["body"]["id"] == keys[2]
    assert {entry.mail.subject: entry.mail.folder for entry in box} == {"1": "inbox", "2": "archive"}


def test_mime_in_a_batch_and_bodies_without_a_type(graph: Graph) -> None:
    part = {"id": "1", "method": "POST", "url": "/me/messages", "body": "VTNWaWFtVmpkRG9nZUEwS0RRcDQ="}
    mime = {"id": "2", "method": "POST", "url": "/me/messages", "headers": {"Content-Type": "text/plain"}}
    assert graph.batch(part).status_code == 400
    (answer,) = graph.batch({**mime, "body": part["body"]}).json()["responses"]
    assert (answer["status"], answer["body"]["subject"]) == (201, "x")


# -- folders ---------------------------------------------------------------------------------------------------------


def test_folders_are_made_renamed_moved_and_deleted(box: MicrosoftMailbox, graph: Graph) -> None:
    work = graph.made("/me/mailFolders", {"displayName": "Work"})
    assert (work["displayName"], work["isHidden"], work["totalItemCount"]) == ("Work", False, 0)
    alpha = graph.made(f"/me/mailFolders/{work['id']}/childFolders", {"displayName": "Alpha"})
    assert alpha["parentFolderId"] == work["id"]
    key = box.add(Mail(subject="Hello", folder="Work/Alpha"))
    inside = f"/me/mailFolders/{alpha['id']}/messages"
    assert graph.subjects(inside) == ["Hello"]
    renamed = graph.changed(f"/me/mailFolders/{work['id']}", {"displayName": "Jobs"})
    assert (renamed["id"], renamed["childFolderCount"]) == (work["id"], 1)
    assert graph.subjects(inside) == ["Hello"]
    assert box.find(key).mail.folder == "Jobs/Alpha"  # type: ignore[union-attr]  # it is there
    moved = graph.made(f"/me/mailFolders/{alpha['id']}/move", {"destinationId": "inbox"})
    assert (moved["id"], moved["parentFolderId"]) == (alpha["id"], folders(graph)["Inbox"])
    assert graph.subjects(inside) == ["Hello"]
    before = graph.json(f"/me/messages/{key}")["id"]
    assert graph.write("DELETE", f"/me/mailFolders/{alpha['id']}").status_code == 204
    assert folders(graph, "/me/mailFolders/deleteditems/childFolders") == {"Alpha": alpha["id"]}
    assert graph.subjects(inside) == ["Hello"]
    assert graph.json(f"/me/messages/{before}")["id"] == before
    assert graph.write("DELETE", f"/me/mailFolders/{alpha['id']}").status_code == 204
    assert graph.refusal(f"/me/mailFolders/{alpha['id']}") == (404, "ErrorItemNotFound")
    assert graph.subjects() == []
    graph.made(f"/me/mailFolders/{work['id']}/childFolders", {"displayName": "Beta"})
    box.add(Mail(folder="Jobs/Beta"))
    assert graph.write("POST", f"/me/mailFolders/{work['id']}/permanentDelete").status_code == 204
    assert "Jobs" not in folders(graph)
    assert len(box) == 0


def test_names_are_taken_once_per_place(graph: Graph) -> None:
    work = graph.made("/me/mailFolders", {"displayName": "Work"})
    graph.made(f"/me/mailFolders/{work['id']}/childFolders", {"displayName": "Work"})
    other = graph.made("/me/mailFolders", {"displayName": "Other"})
    taken = (409, "ErrorFolderExists")
    assert graph.refused("POST", "/me/mailFolders", {"displayName": "work"}) == taken
    assert graph.refused("POST", "/me/mailFolders", {"displayName": "Inbox"}) == taken
    assert graph.refused("PATCH", f"/me/mailFolders/{other['id']}", {"displayName": "WORK"}) == taken
    assert graph.changed(f"/me/mailFolders/{work['id']}", {"displayName": "WORK"})["displayName"] == "WORK"


@pytest.mark.parametrize("name", ["Sent", "a/b", "Trash", "50 %", "Ärger"])
def test_names_mean_nothing_but_themselves(box: MicrosoftMailbox, graph: Graph, name: str) -> None:
    made = graph.made("/me/mailFolders", {"displayName": name})
    child = graph.made(f"/me/mailFolders/{made['id']}/childFolders", {"displayName": "In"})
    key = box.add(Mail(subject="Hello"))
    graph.made(f"/me/messages/{key}/move", {"destinationId": child["id"]})
    assert graph.subjects(f"/me/mailFolders/{child['id']}/messages") == ["Hello"]
    other = box.add(Mail(subject="Other"))
    graph.made(f"/me/messages/{other}/move", {"destinationId": made["id"]})
    assert graph.subjects(f"/me/mailFolders/{made['id']}/messages") == ["Other"]
    assert folders(graph, f"/me/mailFolders/{made['id']}/childFolders") == {"In": child["id"]}
    place = graph.made("/me/mailFolders", {"displayName": "Elsewhere"})["id"]
    assert graph.made(f"/me/mailFolders/{made['id']}/move", {"destinationId": place})["displayName"] == name
    assert graph.subjects(f"/me/mailFolders/{made['id']}/messages") == ["Other"]
    assert graph.subjects(f"/me/mailFolders/{child['id']}/messages") == ["Hello"]


def test_folders_everybody_has_stay(graph: Graph) -> None:
    for path, code in (
        ("DELETE /me/mailFolders/inbox", "ErrorDeleteDistinguishedFolder"),
        ("POST /me/mailFolders/drafts/permanentDelete", "ErrorDeleteDistinguishedFolder"),
        ("POST /me/mailFolders/inbox/move", "ErrorMoveDistinguishedFolder"),
        ("PATCH /me/mailFolders/archive", "ErrorInvalidRequest"),
    ):
        method, _, where = path.partition(" ")
        assert graph.refused(method, where, {"displayName": "x"} if method == "PATCH" else None) == (400, code)


def test_folder_changes_that_are_refused(graph: Graph) -> None:
    work = graph.made("/me/mailFolders", {"displayName": "Work"})["id"]
    inner = graph.made(f"/me/mailFolders/{work}/childFolders", {"displayName": "Inner"})["id"]
    for body in (
        {},
        {"displayName": ""},
        {"displayName": 5},
        {"displayName": "a\nb"},
        {"displayName": "x", "isHidden": 1},
    ):
        assert graph.refused("POST", "/me/mailFolders", body) == (400, "RequestBodyRead")
    assert graph.refused("PATCH", f"/me/mailFolders/{work}", {"isHidden": True}) == (400, "ErrorInvalidPropertySet")
    for there in (work, inner):
        assert graph.refused("POST", f"/me/mailFolders/{work}/move", {"destinationId": there})[0] == 400
    assert graph.refused("POST", "/me/mailFolders/none/childFolders", {"displayName": "x"})[0] == 404
    hidden = graph.made("/me/mailFolders", {"displayName": "Rules", "isHidden": True})
    assert hidden["isHidden"] is True
    assert "Rules" not in folders(graph)


def test_a_deleted_folder_fails_where_its_name_lies_in_the_trash(graph: Graph) -> None:
    for status in (204, 409):
        made = graph.made("/me/mailFolders", {"displayName": "Work"})
        assert graph.write("DELETE", f"/me/mailFolders/{made['id']}").status_code == status


# -- categories ------------------------------------------------------------------------------------------------------

CATEGORIES = "/me/outlook/masterCategories"


def test_categories_are_made_recoloured_and_deleted(box: MicrosoftMailbox, graph: Graph) -> None:
    box.categories = ["Home", "Work"]
    before = {row["displayName"]: row["color"] for row in graph.json(CATEGORIES)["value"]}
    made = graph.made(CATEGORIES, {"displayName": "Trips", "color": "preset9"})
    assert (made["displayName"], made["color"]) == ("Trips", "preset9")
    path = f"{CATEGORIES}/{made['id']}"
    assert graph.json(path)["color"] == "preset9"
    assert graph.changed(path, {"color": "preset15"})["color"] == "preset15"
    assert graph.refused("PATCH", path, {"displayName": "Journeys"}) == (400, "ErrorInvalidPropertySet")
    key = box.add(Mail(labels=["Home", "Trips"]))
    home = next(row["id"] for row in graph.json(CATEGORIES)["value"] if row["displayName"] == "Home")
    assert graph.write("DELETE", f"{CATEGORIES}/{home}").status_code == 204
    after = {row["displayName"]: row["color"] for row in graph.json(CATEGORIES)["value"]}
    assert after == {"Work": before["Work"], "Trips": "preset15"}
    assert graph.json(f"/me/messages/{key}")["categories"] == ["Home", "Trips"]
    assert graph.refused("DELETE", f"{CATEGORIES}/{home}") == (404, "ErrorItemNotFound")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"displayName": "home"}, 409),
        ({"displayName": "New", "color": "green"}, 400),
        ({"displayName": "New", "color": "preset25"}, 400),
        ({"color": "preset1"}, 400),
        ({"displayName": ""}, 400),
    ],
)
def test_categories_that_are_refused(box: MicrosoftMailbox, graph: Graph, body: dict[str, Any], status: int) -> None:
    box.categories = ["Home"]
    assert graph.refused("POST", CATEGORIES, body)[0] == status
    assert box.categories == ["Home"]
