"""Term by term, what Outlook is asked: expectations written from the providers' rules, one rule a test."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import attrs
import pytest

from mailkit.query import QueryContext, parse
from mailkit.query.ast import Around, Expr, Field, Not, Text
from mailkit.query.graph_fields import GraphFields
from mailkit.query.graph_mailbox import GraphFolder, GraphMailbox
from mailkit.query.graph_plan import GraphPlan, plan
from tests.query.graph_plans import ADDRESS, ALPHA, DRAFTS, EVER, MAILBOX, ME, NAME, OLD_STUFF, SCOPE, SENT, SPAM, TRASH

CONTEXT = QueryContext(now=dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC), tz=ZoneInfo("UTC"), me=ME)
TEXT_BODY = 'outlook.body-content-type="text"'
FILES = "attachments($select=name,isInline)"


def of(query: str | Expr, mailbox: GraphMailbox = MAILBOX, context: QueryContext = CONTEXT) -> GraphPlan:
    return plan(parse(query) if isinstance(query, str) else query, context, mailbox)


def asked(query: str | Expr, mailbox: GraphMailbox = MAILBOX, context: QueryContext = CONTEXT) -> str:
    """What the filter says beside the bound that leads it and the scope that ends it."""
    text = of(query, mailbox, context).filter or ""
    assert text.startswith(EVER)
    return text.removeprefix(EVER).removesuffix(SCOPE).removeprefix(" and ").removesuffix(" and ")


def notes(made: GraphPlan) -> list[tuple[str, str | None]]:
    return [(note.code, note.term) for note in made.notes]


# Bcc


def test_bcc_is_looked_for_where_it_is_kept() -> None:
    made = of("bcc:zoe")
    assert made.strategy == "scan+local"
    assert asked("bcc:zoe") == (
        f"({ADDRESS} eq 'me@example.com' or {ADDRESS} eq 'me.alias@example.org' or isDraft eq true"
        f" or parentFolderId eq '{SENT}' or parentFolderId eq 'AQ-outbox==')"
    )
    assert notes(made) == [("bcc_kept_by_sender", "bcc:zoe"), ("scan", None)]


def test_no_bcc_is_no_cut() -> None:
    assert asked("-bcc:zoe subject:trip") == "contains(subject,'trip')"


def test_bcc_alone_does_not_make_a_filter_selective_but_narrows_a_scan() -> None:
    assert of("bcc:zoe is:starred").strategy == "filter+local"
    assert of("bcc:zoe dinner").strategy == "search+local"


# People


def test_quotes_in_addresses_are_doubled() -> None:
    assert asked("from:o'neill@example.com") == f"{ADDRESS} eq 'o''neill@example.com'"


def test_an_address_is_asked_for_in_one_form() -> None:
    assert asked('from:"Amy@Example.COM"') == f"{ADDRESS} eq 'amy@example.com'"
    assert asked("-from:me") == f"{ADDRESS} ne 'me@example.com' and {ADDRESS} ne 'me.alias@example.org'"


@pytest.mark.parametrize("address", ["info@b\u00fccher-shop.example", "info@xn--bcher-shop-9db.example"])
def test_an_international_domain_is_asked_for_by_what_both_forms_share(address: str) -> None:
    made = of(f"from:{address}")
    words = " and ".join(f"contains({ADDRESS},'{word}')" for word in ("info", "shop", "example"))
    assert made.filter == f"{EVER} and {words} and {SCOPE}"
    assert made.strategy == "filter+local"
    assert of(f"-from:{address}").strategy == "scan+local"
    assert of(f"to:{address}").strategy == "scan+local"


def test_words_beyond_ascii_are_left_out_of_a_filter() -> None:
    assert asked('from:"amy z\u00fcrich"') == f"(contains({ADDRESS},'amy') or contains({NAME},'amy'))"
    assert of("from:z\u00fcrich").search == 'from:"z\u00fcrich"'


def test_the_work_around_for_the_own_tenant_is_a_switch_and_checked() -> None:
    mailbox = attrs.evolve(MAILBOX, same_tenant=True)
    made = of("from:amy@example.com", mailbox)
    assert made.strategy == "filter+local"
    assert f"({ADDRESS} eq 'amy@example.com' or startswith({ADDRESS},'amy@example.com'))" in (made.filter or "")
    assert of("-from:amy@example.com", mailbox).strategy == "scan+local"


def test_me_without_an_address_is_nobody() -> None:
    nobody = attrs.evolve(CONTEXT, me=())
    for query in ("from:me", "to:me", "bcc:me", "dinner cc:me"):
        assert of(query, context=nobody).strategy == "empty"
    assert of("-to:me", context=nobody).strategy == "filter"


# Labels and places


def test_a_category_and_a_folder_may_share_a_key() -> None:
    mailbox = attrs.evolve(MAILBOX, categories=("projects alpha", "Projects|Alpha"))
    assert asked("label:projects-alpha", mailbox) == (
        "(categories/any(c:c eq 'projects alpha') or categories/any(c:c eq 'Projects|Alpha')"
        f" or parentFolderId eq '{ALPHA}')"
    )
    assert asked("-label:projects-alpha", mailbox) == (
        "not(categories/any(c:c eq 'projects alpha')) and not(categories/any(c:c eq 'Projects|Alpha'))"
        f" and parentFolderId ne '{ALPHA}'"
    )


def test_a_label_that_is_not_there_matches_nothing_and_is_noted() -> None:
    assert notes(of("label:none-such")) == [("no_such_label", "label:none-such")]
    made = of("-label:none-such")
    assert (made.strategy, made.filter) == ("filter", f"{EVER} and {SCOPE}")


def test_unknown_categories_are_asked_for_by_their_usual_spellings() -> None:
    mailbox = attrs.evolve(MAILBOX, categories=None, seen_categories=frozenset({"R&D", "Work"}))
    made = of("label:r-d", mailbox)
    spellings = " or ".join(f"categories/any(c:c eq '{name}')" for name in ("r-d", "r d", "r/d", "R&D"))
    assert made.filter == f"{EVER} and ({spellings}) and {SCOPE}"
    assert made.strategy == "filter+local"
    assert notes(made) == [("categories_unverified", "label:r-d")]
    assert made.exactness == "approximate"


def test_folders_of_the_trash_are_trash_and_no_labels() -> None:
    deeper = GraphFolder(id="deep", path="Deleted Items/Old Stuff/Deep", parent_id=OLD_STUFF)
    mailbox = attrs.evolve(MAILBOX, folders=(*MAILBOX.folders, deeper))
    assert mailbox.place("deep") == "trash"
    assert mailbox.own_path("deep") is None
    assert of("label:deleted-items-old-stuff-deep", mailbox).strategy == "empty"
    assert mailbox.folder_ids("trash") == (TRASH, OLD_STUFF, "deep")
    assert (mailbox.place("unheard of"), mailbox.own_path("unheard of")) == ("other", None)


def test_folders_in_a_circle_do_not_hang() -> None:
    ring = (GraphFolder(id="a", path="a", parent_id="b"), GraphFolder(id="b", path="b", parent_id="a"))
    assert GraphMailbox(folders=ring, categories=()).place("a") == "other"


def test_trash_is_a_path_only_without_folders_in_it() -> None:
    assert of("in:trash").folder is None
    flat = attrs.evolve(MAILBOX, folders=tuple(folder for folder in MAILBOX.folders if folder.id != OLD_STUFF))
    assert (of("in:trash", flat).folder, of("in:trash", flat).filter) == ("deleteditems", EVER)


def test_only_a_positive_place_at_the_top_is_a_path() -> None:
    assert of("in:inbox OR subject:trip").folder is None
    assert of("-in:inbox").folder is None
    assert of("in:inbox in:sent").folder == "inbox"
    assert of("in:archive").folder is None


def test_a_place_the_mailbox_lacks_is_empty() -> None:
    bare = attrs.evolve(MAILBOX, folders=MAILBOX.folders[:1])
    assert of("in:outbox", bare).strategy == "empty"
    assert of("-in:outbox", bare).filter == EVER


def test_the_scope_widens_with_a_positive_mention_anywhere() -> None:
    spam = f"parentFolderId ne '{SPAM}'"
    assert of("in:trash OR subject:lunch").filter == (
        f"{EVER} and (parentFolderId eq '{TRASH}' or parentFolderId eq '{OLD_STUFF}' or contains(subject,'lunch'))"
        f" and {spam}"
    )
    assert of("-(-in:anywhere)").filter == EVER


# Dates and sizes


def test_dates_beyond_all_mail_are_settled() -> None:
    assert of("before:1800/01/01").strategy == "empty"
    assert asked("after:1800/01/01") == ""
    assert of("dinner after:0001/01/01").search == of("dinner").search
    assert of("dinner before:9999/12/31").search == f"({of('dinner').search}) AND received<=9999-12-31"


def test_a_recent_lower_bound_is_selective() -> None:
    assert of("dinner newer_than:45d").strategy == "filter+local"
    assert of("dinner newer_than:46d").strategy == "search+local"
    assert of("dinner -older_than:7d").strategy == "filter+local"
    assert of("{dinner newer_than:7d}").strategy == "search+local"


def test_sizes_beyond_32_bits_are_settled() -> None:
    assert of("larger:2G").strategy == "empty"
    assert asked("smaller:2G") == asked("-larger:2G") == ""
    assert "gt 2147483647)" in asked("larger:2147483647")


# Words under search


@pytest.mark.parametrize(
    ("value", "kql"),
    [
        ('say "hi" \\ now', '"say" AND "hi" AND "now"'),
        ("pass*", '("pass" OR "pa\u00df")'),
        ("Re: a AND b", '"re: a and b"'),
        ("\u201cquoted\u201d", '"quoted"'),
        ("2026\u5e74\u5831\u544a draft", '"2026" AND "draft"'),
        ("under_score", '"under_score"'),
        ("tab\tand\x00zero", '"tab and zero"'),
    ],
)
def test_a_phrase_holds_nothing_that_kql_reads_otherwise(value: str, kql: str) -> None:
    def everywhere(phrase: str) -> str:
        spellings = phrase.strip("()").split(" OR ")
        return " OR ".join(f"{name}{each}" for name in ("", "recipients:", "attachment:") for each in spellings)

    phrases = [everywhere(phrase) for phrase in kql.split(" AND ")]
    text = phrases[0] if len(phrases) == 1 else " AND ".join(f"({phrase})" for phrase in phrases)
    assert of(Text(value, phrase=True)).search == text


def test_the_value_of_search_is_quoted_and_escaped() -> None:
    assert of("to:bob").parameters == (("$search", '"recipients:\\"bob\\""'),)


def test_long_phrases_with_two_spellings_are_searched_word_by_word() -> None:
    search = of(Field("filename", "class message password", phrase=True)).search
    assert search == " AND ".join(
        f'(attachment:"{one}" OR attachment:"{two}")'
        for one, two in (("class", "cla\u00df"), ("message", "me\u00dfage"), ("password", "pa\u00dfword"))
    )


def test_text_without_words_matches_nothing() -> None:
    assert of(Text("!?")).strategy == of(Field("subject", "--")).strategy == "empty"
    assert of(Not(Text("!?"))).strategy == "filter"
    assert of(Around("!", "dinner", 3)).strategy == "search+local"


@pytest.mark.parametrize("query", ["dinner", "to:bob", "{cc:amy to:bob}", "dinner -movie"])
def test_what_may_be_missed_by_bcc_is_noted(query: str) -> None:
    made = of(query)
    assert made.strategy == "search+local"
    assert [code for code, _ in notes(made)] == ["bcc_not_indexed"]


@pytest.mark.parametrize("query", ["cc:bob", "filename:pdf", "a AROUND 3 b", "filename:pdf -to:bob", "to:bob from:amy"])
def test_what_cannot_be_missed_is_not_noted(query: str) -> None:
    assert notes(of(query)) == []


# Complexity


def test_the_largest_group_goes_first() -> None:
    many = " OR ".join(f"from:a{n}@example.com" for n in range(61))
    made = of(f"({many}) (subject:x OR subject:y)")
    assert asked(f"({many}) (subject:x OR subject:y)") == "(contains(subject,'x') or contains(subject,'y'))"
    assert made.strategy == "filter+local"
    assert of(many).strategy == "scan+local"


def test_sixty_clauses_are_not_too_many() -> None:
    many = " OR ".join(f"from:a{n}@example.com" for n in range(60))
    assert of(f"in:anywhere ({many})").strategy == "filter"


def test_too_many_conjuncts_are_cut_from_the_end_and_checked() -> None:
    made = of("in:anywhere " + " ".join(f"-from:a{n}@example.com" for n in range(61)))
    assert made.strategy == "scan+local"
    assert (made.filter or "").count(" ne ") == 60


# The rest of a plan


def test_unsupported_terms_are_noted_either_way() -> None:
    for query in ("category:social", "has:red-bang", "is:muted", "is:snoozed", "is:chat", "deliveredto:me"):
        made = of(query)
        assert (made.strategy, made.exactness, notes(made)) == ("empty", "unsupported", [("unsupported", query)])
        assert (made.filter, made.search, made.orderby, made.residual) == (None, None, None, None)
        without = of(f"-{query}")
        assert (without.filter, notes(without)) == (f"{EVER} and {SCOPE}", [("unsupported", query)])


def test_fields_are_what_the_check_reads() -> None:
    people = ("from", "toRecipients", "ccRecipients", "bccRecipients")
    always = ("receivedDateTime", "parentFolderId")
    size = "singleValueExtendedProperties($filter=id eq 'Integer 0x0E08')"
    expected = {
        "dinner": GraphFields(select=(*always, *people, "subject", "body"), expand=(FILES,), prefer=(TEXT_BODY,)),
        "subject:(a AROUND 3 b)": GraphFields(select=(*always, "subject")),
        "a AROUND 3 b": GraphFields(select=(*always, "subject", "body"), prefer=(TEXT_BODY,)),
        "list:dev": GraphFields(select=(*always, "internetMessageHeaders")),
        "subject:x larger:5 filename:pdf": GraphFields(select=(*always, "subject"), expand=(size, FILES)),
        "has:drive has:userlabels": GraphFields(select=(*always, "body", "categories"), prefer=(TEXT_BODY,)),
        "subject:x is:starred is:important is:unread": GraphFields(
            select=(*always, "subject", "flag", "importance", "isRead")
        ),
        "from:amy rfc822msgid:x has:attachment label:work": GraphFields(
            select=(*always, "from", "internetMessageId", "hasAttachments", "categories")
        ),
        "is:unread": GraphFields(),
    }
    for query, fields in expected.items():
        assert of(query).fields == fields, query


def test_a_search_is_read_to_its_end_and_sorted_here() -> None:
    made = of("dinner")
    assert (made.cap, made.orderby, made.filter) == (1000, None, None)
    assert made.top(25) == 1000
    filtered = of("is:unread")
    assert (filtered.cap, filtered.orderby) == (None, "receivedDateTime desc")
    assert (filtered.top(25), filtered.top(0), filtered.top(5000)) == (25, 1, 1000)


def test_a_position_bounds_what_comes_next() -> None:
    at = dt.datetime(2026, 3, 10, 23, 30, tzinfo=ZoneInfo("America/New_York"))
    assert of("subject:trip in:anywhere").before(at).filter == (
        f"receivedDateTime le 2026-03-11T03:30:00Z and {EVER} and contains(subject,'trip')"
    )
    assert of("cc:amy OR filename:pdf").before(at).search == '(cc:"amy" OR attachment:"pdf") AND received<=2026-03-12'
    assert of("is:muted").before(at) == of("is:muted")


def test_a_plan_shows_nothing_of_the_query() -> None:
    assert "zelda" not in repr(of("zelda from:zelda@example.com"))
    assert DRAFTS not in repr(MAILBOX)
