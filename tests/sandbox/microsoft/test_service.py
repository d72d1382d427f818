from __future__ import annotations

import re

import pytest

from mailkit.sandbox import Fault, Mail, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import Graph

GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PATHS = {
    "user.read": ["/me"],
    "mail.read": ["/me/messages", "/me/mailFolders", "/me/mailFolders/inbox", "/me/mailFolders/inbox/messages"],
    "mailboxsettings.read": ["/me/outlook/masterCategories"],
}


def test_errors_have_graphs_shape(graph: Graph) -> None:
    answer = graph.http.get("/me/messages/none", headers={"client-request-id": "mine"})
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "innerError"}
    assert error["innerError"]["date"] == "2026-03-16T09:00:00"
    assert GUID.fullmatch(error["innerError"]["request-id"])
    assert error["innerError"]["client-request-id"] == "mine"
    assert answer.headers["request-id"] == error["innerError"]["request-id"]
    assert answer.headers["client-request-id"] == "mine"


def test_each_answer_has_an_id_of_its_own(graph: Graph) -> None:
    first, second = graph.get("/me"), graph.get("/me")
    assert GUID.fullmatch(first.headers["request-id"])
    assert first.headers["request-id"] != second.headers["request-id"]
    assert first.headers["client-request-id"] == first.headers["request-id"]


def test_a_strangers_token_is_refused(graph: Graph) -> None:
    for headers, text in (({"authorization": "Bearer none"}, "validation"), ({"authorization": ""}, "empty")):
        answer = graph.http.get("/me", headers=headers)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "InvalidAuthenticationToken"
        assert text in answer.json()["error"]["message"]
        assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("scopes", "granted"),
    [
        (["User.Read"], {"user.read"}),
        (["https://graph.microsoft.com/Mail.Read"], {"mail.read"}),
        (["Mail.ReadWrite", "MailboxSettings.ReadWrite"], {"mail.read", "mailboxsettings.read"}),
        (["Calendars.Read"], set()),
        ([], set()),
        (None, set(PATHS)),
    ],
)
def test_permissions_are_checked_by_route(scopes: list[str] | None, granted: set[str]) -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft("ann@contoso.example", scopes=scopes)
    key = box.add(Mail())
    graph = Graph(sandbox, box.token)
    paths = {
        **PATHS,
        "mail.read": [*PATHS["mail.read"], *(f"/me/messages/{key}{x}" for x in ("", "/$value", "/attachments"))],
    }
    with graph.http:
        for scope, below in paths.items():
            for path in below:
                answer = graph.get(path)
                assert answer.status_code == (200 if scope in granted else 403), path
                if answer.is_error:
                    assert answer.json()["error"]["code"] == "ErrorAccessDenied"


def test_the_basic_permission_lists_folders_and_reads_no_mail() -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft("ann@contoso.example", scopes=["Mail.ReadBasic"])
    graph = Graph(sandbox, box.token)
    with graph.http:
        assert graph.get("/me/mailFolders").status_code == 200
        assert graph.refusal("/me/messages") == (403, "ErrorAccessDenied")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/me/flavours", 400),
        ("/me/messages/1/flavours", 400),
        ("/me/mailFolders/inbox/messages/1/attachments/2/3/4", 400),
        ("/flavours", 400),
        ("/me/messages//", 404),
        ("https://graph.microsoft.com/beta/me", 404),
        ("https://graph.microsoft.com/", 404),
    ],
)
def test_paths_that_are_not_there(graph: Graph, path: str, status: int) -> None:
    assert graph.get(path).status_code == status


def test_names_in_paths_are_read_without_regard_to_case(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(Mail(subject="hello"))
    assert graph.subjects("/me/mailfolders/Inbox/messages") == ["hello"]
    assert graph.json(f"/me/messages('{key}')")["subject"] == "hello"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PATCH", "/me/messages"),
        ("PUT", "/me/messages/1"),
        ("DELETE", "/me/mailFolders"),
        ("GET", "/me/sendMail"),
        ("POST", "/me/messages/1"),
        ("POST", "/me"),
    ],
)
def test_methods_that_are_not_served(graph: Graph, method: str, path: str) -> None:
    assert graph.http.request(method, path).status_code == 405


@pytest.mark.parametrize(
    "query",
    [
        "$flavour=sweet",
        "top=5",
        "$Top=5",
        "$top=5&$top=6",
        "$filter=",
        "$select=%20",
        "$search=",
        "$expand=",
        "$orderby=",
        "includeHiddenFolders=true",
        "ConsistencyLevel=eventual",
    ],
)
def test_query_options_that_are_refused(graph: Graph, query: str) -> None:
    assert graph.refusal(f"/me/messages?{query}") == (400, "BadRequest")


def test_single_items_take_no_list_options(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(Mail())
    assert graph.refusal(f"/me/messages/{key}", top="5") == (400, "BadRequest")
    assert graph.refusal("/me", filter="mail eq 'x'") == (400, "BadRequest")
    assert graph.refusal(f"/me/messages/{key}/$value", select="id") == (400, "BadRequest")


def test_a_plus_in_a_query_is_a_space(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add(Mail(subject="a b"))
    assert [row["subject"] for row in graph.json("/me/messages?$filter=subject+eq+'a+b'")["value"]] == ["a b"]
    late = "/me/messages?$filter=receivedDateTime%20ge%202026-01-01T00:00:00{}01:00"
    assert graph.get(late.format("%2B")).status_code == 200
    assert graph.refusal(late.format("+")) == (400, "BadRequest")


def test_more_than_four_in_flight_are_throttled(box: MicrosoftMailbox, sandbox: Sandbox) -> None:
    headers = {"authorization": f"Bearer {box.token}"}
    url = "https://graph.microsoft.com/v1.0/me"

    def nested(depth: int) -> list[int]:
        with sandbox.arrival("GET", url, headers, b"") as answer:
            if answer.status == 429:
                assert dict(answer.headers)["retry-after"] == "1"
                assert b"MailboxConcurrency" in answer.content
                assert b"ApplicationThrottled" in answer.content
            return [answer.status, *(nested(depth - 1) if depth else [])]

    assert nested(5) == [200, 200, 200, 200, 429, 429]
    assert nested(0) == [200]
    box.concurrency = None
    assert nested(5) == [200] * 6


@pytest.mark.parametrize(
    ("status", "reason", "code"),
    [
        (401, None, "InvalidAuthenticationToken"),
        (403, None, "ErrorAccessDenied"),
        (403, "ErrorQuotaExceeded", "ErrorQuotaExceeded"),
        (404, None, "ErrorItemNotFound"),
        (429, None, "ApplicationThrottled"),
        (503, None, "serviceNotAvailable"),
        (599, None, "UnknownError"),
    ],
)
def test_scripted_refusals_are_worded_as_graph_words_them(
    box: MicrosoftMailbox, graph: Graph, status: int, reason: str | None, code: str
) -> None:
    box.script(Fault(status=status, reason=reason))
    assert graph.refusal("/me") == (status, code)
    assert graph.get("/me").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "operation"),
    [
        ("GET", "/me", "me.get"),
        ("GET", "/me/messages?$top=1", "messages.list"),
        ("GET", "/me/mailFolders/inbox/messages", "messages.list"),
        ("GET", "/me/messages/1", "messages.get"),
        ("GET", "/me/messages/1/$value", "messages.raw"),
        ("GET", "/me/messages/1/attachments", "attachments.list"),
        ("GET", "/me/messages/1/attachments/2", "attachments.get"),
        ("GET", "/me/messages/1/attachments/2/$value", "attachments.raw"),
        ("GET", "/me/mailFolders", "folders.list"),
        ("GET", "/me/mailFolders/inbox", "folders.get"),
        ("GET", "/users/x/mailFolders/inbox/childFolders", "folders.children"),
        ("GET", "/me/outlook/masterCategories", "categories.list"),
        ("POST", "/$batch", "batch"),
        ("POST", "/me/sendMail", "me.sendMail"),
        ("POST", "/me/messages", "messages.create"),
        ("PATCH", "/me/messages/1", "messages.update"),
        ("POST", "/me/messages/1/createReplyAll", "messages.createReplyAll"),
        ("POST", "/me/mailFolders/1/messages/2/send", "messages.send"),
        ("POST", "/me/messages/1/microsoft.graph.copy", "messages.copy"),
        ("DELETE", "/me/mailFolders/1/childFolders/2", "folders.delete"),
        ("POST", "/me/messages/1/attachments/createUploadSession", "attachments.createUploadSession"),
        ("DELETE", "/me/outlook/masterCategories/1", "categories.delete"),
        ("PATCH", "/me/messages", None),
        ("GET", "/me/flavours", None),
    ],
)
def test_operations_are_named_in_the_log(
    sandbox: Sandbox, graph: Graph, method: str, path: str, operation: str | None
) -> None:
    graph.http.request(method, path)
    assert sandbox.requests[-1].operation == operation


def test_a_national_cloud_and_a_loopback_server_are_graph_too(box: MicrosoftMailbox, graph: Graph) -> None:
    for _ in range(11):
        box.add(Mail())
    for origin in ("https://graph.microsoft.us", "http://127.0.0.1:8080"):
        body = graph.json(f"{origin}/v1.0/me/messages")
        assert body["@odata.nextLink"].startswith(f"{origin}/v1.0/me/messages?")
