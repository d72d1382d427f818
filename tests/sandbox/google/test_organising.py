"""Labels put on and taken off over Gmail's interface, trash and deletion: messages, conversations, long lists."""

from __future__ import annotations

import pytest

from mailkit.sandbox import Mail, Sandbox
from tests.support.gmail import Gmail, error, letter


@pytest.fixture
def gmail() -> Gmail:
    sandbox = Sandbox()
    return Gmail(sandbox, sandbox.google("ann@example.com"))


def _labels(gmail: Gmail, id: str) -> list[str]:  # noqa: A002  # the name of the thing
    return list(gmail.get(f"/messages/{id}", ("format", "minimal")).get("labelIds", []))


@pytest.mark.parametrize(
    ("add", "remove", "after", "found_by"),
    [
        ([], ["UNREAD"], {"INBOX"}, "is:read"),
        ([], ["INBOX"], {"UNREAD"}, "in:archive"),
        (["STARRED", "IMPORTANT"], [], {"INBOX", "UNREAD", "STARRED", "IMPORTANT"}, "is:starred is:important"),
        (["SPAM"], ["INBOX"], {"SPAM", "UNREAD"}, "in:spam -in:inbox"),
        (["TRASH"], [], {"INBOX", "TRASH", "UNREAD"}, "in:trash"),
        (["CATEGORY_SOCIAL"], [], {"INBOX", "UNREAD", "CATEGORY_SOCIAL"}, "category:social"),
        (
            ["CATEGORY_SOCIAL", "CATEGORY_FORUMS"],
            ["INBOX"],
            {"UNREAD", "CATEGORY_SOCIAL", "CATEGORY_FORUMS"},
            "category:forums",
        ),
        (["Label_1"], ["INBOX"], {"UNREAD", "Label_1"}, "label:work -in:inbox"),
        (["INBOX"], ["STARRED"], {"INBOX", "UNREAD"}, "in:inbox"),
    ],
)
def test_labels_go_on_and_off(gmail: Gmail, add: list[str], remove: list[str], after: set[str], found_by: str) -> None:
    gmail.box.label("Work")
    id_ = gmail.box.add(Mail(subject="Trip"))
    row = gmail.told(f"/messages/{id_}/modify", {"addLabelIds": add, "removeLabelIds": remove})
    assert set(row["labelIds"]) == set(_labels(gmail, id_)) == after
    assert (row["id"], gmail.find(found_by)) == (id_, [id_])
    back = gmail.told(
        f"/messages/{id_}/modify",
        {"addLabelIds": ["INBOX", "UNREAD"], "removeLabelIds": sorted(after - {"INBOX", "UNREAD"}) or ["SPAM"]},
    )
    assert set(back["labelIds"]) == {"INBOX", "UNREAD"}


def test_a_folder_of_ones_own_is_a_label_that_can_be_taken_off(gmail: Gmail) -> None:
    id_ = gmail.box.add(Mail(folder="Projects/Alpha", read=True))
    (label,) = _labels(gmail, id_)
    gmail.told(f"/messages/{id_}/modify", {"addLabelIds": ["INBOX"]})
    assert set(_labels(gmail, id_)) == {"INBOX", label}
    gmail.told(f"/messages/{id_}/modify", {"removeLabelIds": [label]})
    assert _labels(gmail, id_) == ["INBOX"]


def test_a_change_keeps_id_and_bytes(gmail: Gmail) -> None:
    id_ = gmail.box.load_eml(b"Subject: odd\nX-Odd:  1\n\nbody")
    before = gmail.get(f"/messages/{id_}", ("format", "raw"))
    gmail.told(f"/messages/{id_}/modify", {"removeLabelIds": ["INBOX"]})
    after = gmail.get(f"/messages/{id_}", ("format", "raw"))
    assert after["raw"] == before["raw"]
    assert int(after["historyId"]) > int(before["historyId"])


@pytest.mark.parametrize("thread", [False, True])
def test_trash_and_back(gmail: Gmail, thread: bool) -> None:
    ids = [gmail.box.add(Mail(subject="Trip", thread="t", folder=folder)) for folder in ("inbox", "sent")]
    before = [_labels(gmail, id_) for id_ in ids]
    (row,) = gmail.get("/threads")["threads"]
    paths = [f"/threads/{row['id']}"] if thread else [f"/messages/{id_}" for id_ in ids]
    for path in paths:
        gmail.told(f"{path}/trash")
    assert gmail.ids() == gmail.find("in:inbox") == gmail.find("in:sent") == []
    assert sorted(gmail.find("in:trash")) == sorted(ids)
    for path in paths:
        gmail.told(f"{path}/untrash")
    assert [_labels(gmail, id_) for id_ in ids] == before


def test_a_conversation_changes_as_a_whole(gmail: Gmail) -> None:
    gmail.box.add(Mail(subject="other"))
    ids = {gmail.box.add(Mail(subject="Trip", thread="t")) for _ in range(3)}
    thread = gmail.get(f"/messages/{min(ids)}")["threadId"]
    answer = gmail.told(f"/threads/{thread}/modify", {"addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]})
    assert {row["id"] for row in answer["messages"]} == ids
    assert all(set(row["labelIds"]) == {"STARRED", "INBOX"} for row in answer["messages"])
    assert set(gmail.find("is:starred")) == ids
    assert gmail.tell(f"/threads/{thread}", method="DELETE").status_code == 204
    assert len(gmail.box) == 1
    assert gmail.tell(f"/threads/{thread}/trash").status_code == 404


def test_a_long_list_changes_in_silence(gmail: Gmail) -> None:
    ids = [gmail.box.add(Mail()) for _ in range(30)]
    gone = ids.pop()
    gmail.box.remove(gone)
    body = {"ids": [*ids, gone, "no id", ids[0]], "removeLabelIds": ["INBOX"], "addLabelIds": ["STARRED"]}
    answer = gmail.tell("/messages/batchModify", body)
    assert (answer.status_code, answer.content) == (204, b"")
    assert sorted(gmail.find("is:starred -in:inbox")) == sorted(ids)
    assert gmail.tell("/messages/batchDelete", {"ids": [*ids[:20], gone]}).status_code == 204
    assert sorted(gmail.find("is:starred")) == sorted(ids[20:])


def test_a_message_is_deleted_for_good(gmail: Gmail) -> None:
    id_ = gmail.box.add(Mail())
    assert gmail.tell(f"/messages/{id_}", method="DELETE").status_code == 204
    assert gmail.tell(f"/messages/{id_}", method="DELETE").status_code == 404
    assert gmail.refused(f"/messages/{id_}") == (404, "notFound")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "No label add or removes specified"),
        ({"addLabelIds": ["Label_9"]}, "Invalid label: Label_9"),
        ({"addLabelIds": ["inbox"]}, "Invalid label: inbox"),
        ({"addLabelIds": ["SENT"]}, "Invalid label: SENT"),
        ({"removeLabelIds": ["DRAFT"]}, "Invalid label: DRAFT"),
        ({"addLabelIds": ["INBOX"], "removeLabelIds": ["INBOX"]}, "Cannot both add and remove the same label"),
        ({"addLabelIds": [f"Label_{n}" for n in range(101)]}, "Cannot change more than 100 labels"),
        ({"addLabelIds": "INBOX"}, "Invalid value at 'addLabelIds'"),
        ({"labelIds": ["INBOX"]}, "Invalid JSON payload received. Unknown name"),
    ],
)
@pytest.mark.parametrize("path", ["/messages/{}/modify", "/messages/batchModify", "/threads/{}/modify"])
def test_changes_that_are_none(gmail: Gmail, path: str, body: dict[str, object], sentence: str) -> None:
    id_ = gmail.box.add(Mail())
    ids = {"ids": [id_]} if "batch" in path else {}
    status, message = error(gmail.tell(path.format(id_), {**body, **ids}))
    assert (status, message[: len(sentence)]) == (400, sentence)
    assert set(_labels(gmail, id_)) == {"INBOX", "UNREAD"}


@pytest.mark.parametrize("path", ["/messages/batchModify", "/messages/batchDelete"])
@pytest.mark.parametrize("ids", [[], [str(n) for n in range(1001)], "all", [1]])
def test_lists_that_are_none(gmail: Gmail, path: str, ids: object) -> None:
    body = {"ids": ids} | ({"addLabelIds": ["STARRED"]} if "Modify" in path else {})
    assert error(gmail.tell(path, body))[0] == 400


@pytest.mark.parametrize("path", ["modify", "trash", "untrash"])
def test_unknown_messages(gmail: Gmail, path: str) -> None:
    body = {"addLabelIds": ["STARRED"]} if path == "modify" else None
    assert error(gmail.tell(f"/messages/1f00000000000000/{path}", body))[0] == 404
    assert error(gmail.tell(f"/messages/no-id/{path}", body))[0] == 400


def test_only_the_whole_mailbox_lets_delete_for_good() -> None:
    sandbox = Sandbox()
    gmail = Gmail(sandbox, sandbox.google("ann@example.com", scopes=["https://www.googleapis.com/auth/gmail.modify"]))
    id_ = gmail.box.add(Mail())
    assert gmail.told(f"/messages/{id_}/trash")
    assert gmail.send(letter())
    assert gmail.told("/labels", {"name": "Work"})
    assert gmail.tell("/messages/batchDelete", {"ids": [id_]}).status_code == 403
    for path in (f"/messages/{id_}", f"/threads/{id_}"):
        assert gmail.tell(path, method="DELETE").status_code == 403
