from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from mailkit.sandbox import Mail
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import Graph

BUILT_IN = ["Archive", "Deleted Items", "Drafts", "Inbox", "Junk Email", "Outbox", "Sent Items"]


def names(body: dict[str, Any]) -> list[str]:
    return [row["displayName"] for row in body["value"]]


def test_the_owner(graph: Graph) -> None:
    me = graph.json("/me")
    assert (me["mail"], me["userPrincipalName"], me["displayName"]) == (
        "ann@contoso.example",
        "ann@contoso.example",
        "Ann Lee",
    )
    assert "proxyAddresses" not in me
    shown = graph.json("/me", select="mail,proxyAddresses")
    assert shown["proxyAddresses"] == ["SMTP:ann@contoso.example", "smtp:ann.lee@contoso.example"]
    assert "displayName" not in shown
    assert graph.refusal("/me", select="flavour") == (400, "BadRequest")


@pytest.mark.parametrize("user", ["ann@contoso.example", "Ann.Lee@contoso.example"])
def test_the_same_routes_by_user(box: MicrosoftMailbox, graph: Graph, user: str) -> None:
    box.add(Mail(subject="hello"))
    for owner in (user, box.user_id):
        assert graph.json(f"/users/{owner}")["mail"] == "ann@contoso.example"
        assert graph.subjects(f"/users/{owner}/messages") == ["hello"]
        assert graph.subjects(f"/users/{owner}/mailFolders/inbox/messages") == ["hello"]
    link = graph.json(f"/users/{user}/mailFolders", top="1")["@odata.nextLink"]
    assert link.startswith(f"https://graph.microsoft.com/v1.0/users/{user}/mailFolders?")
    assert graph.refusal("/users/eve@contoso.example/messages") == (404, "ErrorInvalidUser")


def test_a_new_mailbox_has_the_built_in_folders(graph: Graph) -> None:
    body = graph.json("/me/mailFolders")
    assert names(body) == BUILT_IN
    assert set(body["value"][0]) == {
        "id",
        "displayName",
        "parentFolderId",
        "childFolderCount",
        "unreadItemCount",
        "totalItemCount",
        "isHidden",
    }
    root = graph.json("/me/mailFolders/msgfolderroot")
    assert {row["parentFolderId"] for row in body["value"]} == {root["id"]}
    assert root["displayName"] == "Top of Information Store"


@pytest.mark.parametrize(
    ("well_known", "name"),
    [
        ("inbox", "Inbox"),
        ("sentitems", "Sent Items"),
        ("drafts", "Drafts"),
        ("deleteditems", "Deleted Items"),
        ("junkemail", "Junk Email"),
        ("archive", "Archive"),
        ("outbox", "Outbox"),
    ],
)
def test_folders_are_found_by_well_known_name_and_id(graph: Graph, well_known: str, name: str) -> None:
    folder = graph.json(f"/me/mailFolders/{well_known}")
    assert folder["displayName"] == name
    assert graph.json(f"/me/mailFolders/{quote(folder['id'])}")["id"] == folder["id"]
    assert graph.json(f"/me/mailFolders('{well_known}')")["id"] == folder["id"]


def test_the_well_known_name_cannot_be_selected(graph: Graph) -> None:
    assert graph.refusal("/me/mailFolders", select="id,wellKnownName") == (400, "BadRequest")
    assert graph.refusal("/me/mailFolders/inbox", select="wellKnownName") == (400, "BadRequest")
    assert graph.json("/me/mailFolders/inbox", select="id").keys() == {"@odata.context", "id"}


def test_folders_of_ones_own_nest_and_count(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add(Mail(folder="Projects/Alpha", read=True))
    box.add(Mail(folder="projects/alpha"))
    box.add(Mail(folder="Inbox/News"))
    box.add(Mail(folder="trash/Old Stuff"))
    box.add(Mail(folder="Deleted Items/Old Stuff"))
    box.add_folder("Projects/Beta/Deep")
    box.add_folder("Secret", hidden=True)
    assert names(graph.json("/me/mailFolders", top="50")) == sorted([*BUILT_IN, "Projects"])
    assert names(graph.json("/me/mailFolders", top="50", includeHiddenFolders="true")) == sorted(
        [*BUILT_IN, "Projects", "Secret"]
    )
    projects = box.folders.at("Projects")
    children = graph.json(f"/me/mailFolders/{projects.id}/childFolders")["value"]
    assert [(c["displayName"], c["totalItemCount"], c["unreadItemCount"], c["childFolderCount"]) for c in children] == [
        ("Alpha", 2, 1, 0),
        ("Beta", 0, 0, 1),
    ]
    assert {c["parentFolderId"] for c in children} == {projects.id}
    assert names(graph.json("/me/mailFolders/inbox/childFolders")) == ["News"]
    (old,) = graph.json("/me/mailFolders/deleteditems/childFolders")["value"]
    assert (old["displayName"], old["totalItemCount"]) == ("Old Stuff", 2)
    assert graph.json("/me/mailFolders/msgfolderroot")["childFolderCount"] == len(BUILT_IN) + 1
    assert graph.refusal("/me/mailFolders/none/childFolders") == (404, "ErrorItemNotFound")


def test_folders_come_in_pages_of_ten(box: MicrosoftMailbox, graph: Graph) -> None:
    for number in range(5):
        box.add_folder(f"Folder {number}")
    first = graph.json("/me/mailFolders")
    assert len(first["value"]) == 10
    assert len(graph.json(first["@odata.nextLink"])["value"]) == 2
    assert "@odata.nextLink" not in graph.json("/me/mailFolders", top="100")
    assert graph.json("/me/mailFolders", count="true", top="1")["@odata.count"] == 12


def test_folders_are_filtered_ordered_and_expanded(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add(Mail(folder="Inbox/News"))
    box.add(Mail(folder="Inbox/News/Deeper"))
    assert names(graph.json("/me/mailFolders", filter="displayName eq 'inbox'")) == ["Inbox"]
    assert names(graph.json("/me/mailFolders", orderby="displayName desc")) == BUILT_IN[::-1]
    (inbox,) = graph.json(
        "/me/mailFolders", filter="displayName eq 'Inbox'", expand="childFolders($select=displayName)"
    )["value"]
    assert [set(child) for child in inbox["childFolders"]] == [{"id", "displayName"}]
    assert graph.json("/me/mailFolders/inbox", expand="childFolders")["childFolders"][0]["totalItemCount"] == 1
    assert graph.refusal("/me/mailFolders", filter="wellKnownName eq 'inbox'") == (400, "BadRequest")
    assert graph.refusal("/me/mailFolders", expand="messages") == (400, "BadRequest")
    assert graph.refusal("/me/mailFolders", includeHiddenFolders="maybe") == (400, "BadRequest")


def test_categories_come_whole_and_cannot_be_filtered(box: MicrosoftMailbox, graph: Graph) -> None:
    for number in range(30):
        box.add(Mail(labels=[f"Label {number}", "shared", "SHARED"]))
    rows = graph.json("/me/outlook/masterCategories")["value"]
    assert len(rows) == 31
    assert {row["color"] for row in rows} == {f"preset{n}" for n in range(25)}
    assert len({row["id"] for row in rows}) == 31
    assert set(graph.json("/me/outlook/masterCategories", select="displayName")["value"][0]) == {"id", "displayName"}
    assert graph.refusal("/me/outlook/masterCategories", filter="displayName eq 'x'") == (400, "BadRequest")


def test_a_category_may_leave_the_master_list_and_stay_on_mail(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add(Mail(subject="kept", labels=["Old"]))
    box.categories.remove("Old")
    assert graph.json("/me/outlook/masterCategories")["value"] == []
    assert graph.subjects(filter="categories/any(c:c eq 'Old')") == ["kept"]
