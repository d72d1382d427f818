"""The plans of the shared cases, derived by hand from the rules: strategy, folder, and what the first request asks.

Nothing here is printed from the code. The short names below spare the reader the same long clauses again and again;
what a row says is the whole ``$filter`` or the whole KQL. A row that scans says why neither narrows it down.
"""

from __future__ import annotations

import attrs

from mailkit.query.graph_mailbox import GraphFolder, GraphMailbox

ME = ("me@example.com", "me.alias@example.org")
NOW = "2026-03-15T12:00:00Z"

INBOX, SENT, DRAFTS = "AQ-inbox==", "AQ-sentitems==", "AQ-drafts=="
TRASH, SPAM, ARCHIVE, OUTBOX = "AQ-deleteditems==", "AQ-junkemail==", "AQ-archive==", "AQ-outbox=="
OLD_STUFF, ALPHA, PROJECTS = "AQ-Deleted_Items.Old_Stuff==", "AQ-Projects.Alpha==", "AQ-Projects=="

MAILBOX = GraphMailbox(
    folders=(
        GraphFolder(id=INBOX, path="Inbox", role="inbox"),
        GraphFolder(id=SENT, path="Sent Items", role="sent"),
        GraphFolder(id=DRAFTS, path="Drafts", role="drafts"),
        GraphFolder(id=TRASH, path="Deleted Items", role="trash"),
        GraphFolder(id=SPAM, path="Junk Email", role="spam"),
        GraphFolder(id=ARCHIVE, path="Archive", role="archive"),
        GraphFolder(id=OUTBOX, path="Outbox", role="outbox"),
        GraphFolder(id="AQ-Inbox.Newsletters==", path="Inbox/Newsletters", parent_id=INBOX),
        GraphFolder(id=PROJECTS, path="Projects"),
        GraphFolder(id=ALPHA, path="Projects/Alpha", parent_id=PROJECTS),
        GraphFolder(id=OLD_STUFF, path="Deleted Items/Old Stuff", parent_id=TRASH),
    ),
    categories=("Dev", "Finance", "Follow up", "R&D", "Red Category", "Travel 2026", "Work", "Work/Clients"),
)

EVER = "receivedDateTime ge 1900-01-01T00:00:00Z"
ADDRESS, NAME = "from/emailAddress/address", "from/emailAddress/name"
SCOPE = f"parentFolderId ne '{TRASH}' and parentFolderId ne '{OLD_STUFF}' and parentFolderId ne '{SPAM}'"
NOT_FILED = (INBOX, SENT, DRAFTS, OUTBOX, TRASH, OLD_STUFF, SPAM)
IN_ARCHIVE = " and ".join(f"parentFolderId ne '{id_}'" for id_ in NOT_FILED)
OUT_OF_ARCHIVE = " or ".join(f"parentFolderId eq '{id_}'" for id_ in NOT_FILED)
IN_TRASH = f"(parentFolderId eq '{TRASH}' or parentFolderId eq '{OLD_STUFF}')"
IN_INBOX_OR_SENT = f"(parentFolderId eq '{INBOX}' or parentFolderId eq '{SENT}')"
FROM_ME = f"({ADDRESS} eq 'me@example.com' or {ADDRESS} eq 'me.alias@example.org')"
TO_ME = '(recipients:"me@example.com" OR recipients:"me.alias@example.org")'
SIZE = "singleValueExtendedProperties/any(ep:ep/id eq 'Integer 0x0E08' and cast(ep/value, Edm.Int32) {})"

IDENTIFIED = "(internetMessageId eq '<{0}>' or internetMessageId eq '{0}')"

SCANS_HAN = (
    "a Han character is a word here, but may be half of a longer one to the index; contains takes ASCII words only"
)
SCANS_LIST = "List-Id can neither be filtered by nor searched"
SCANS_NOT_NAMED = "a negated file name would lose mail in either; has:attachment alone passes too much"
SCANS_UNLABELLED = (
    "whether there is any label can neither be filtered by nor searched; has:attachment alone passes too much"
)
SCANS_NOT_TO = "a negated recipient can neither be filtered by nor searched; the inbox is as far as it goes"


@attrs.frozen
class Row:
    """One case: ``asks`` is the ``$filter``, or the KQL of a search; empty plans ask nothing."""

    id: str
    query: str
    strategy: str
    asks: str | None
    folder: str | None = None
    tz: str = "UTC"
    reason: str | None = None


def filtered(id_: str, query: str, *clauses: str, folder: str | None = None, tz: str = "UTC") -> Row:
    """Nothing is left to check."""
    return Row(id_, query, "filter", " and ".join(clauses), folder, tz)


def narrowed(id_: str, query: str, *clauses: str, folder: str | None = None, tz: str = "UTC") -> Row:
    """The filter is selective, the rest is checked."""
    return Row(id_, query, "filter+local", " and ".join(clauses), folder, tz)


def searched(id_: str, query: str, *groups: str, folder: str | None = None, tz: str = "UTC") -> Row:
    """The index gives candidates."""
    return Row(id_, query, "search+local", " AND ".join(groups), folder, tz)


def scanned(id_: str, query: str, reason: str, *clauses: str, folder: str | None = None) -> Row:
    """Neither is selective."""
    return Row(id_, query, "scan+local", " and ".join(clauses), folder, reason=reason)


def nothing(id_: str, query: str) -> Row:
    """Outlook holds nothing of the kind."""
    return Row(id_, query, "empty", None)


def find(text: str) -> str:
    """A word or phrase anywhere, alone."""
    return f'"{text}" OR recipients:"{text}" OR attachment:"{text}"'


def every(text: str) -> str:
    """A word or phrase anywhere, beside something else."""
    return f"({find(text)})"


def by(*words: str) -> str:
    """A sender by one of some single words."""
    parts = (f"contains({field},'{word}')" for word in words for field in (ADDRESS, NAME))
    return f"({' or '.join(parts)})"


def by_all(*words: str) -> str:
    """A sender by several words."""
    sides = (" and ".join(f"contains({field},'{word}')" for word in words) for field in (ADDRESS, NAME))
    return " or ".join(f"({side})" for side in sides).join("()")


def about(word: str) -> str:
    return f"contains(subject,'{word}')"


def marked(category: str) -> str:
    return f"categories/any(c:c eq '{category}')"


def since(instant: str) -> str:
    return f"receivedDateTime ge {instant}"


def until(instant: str) -> str:
    return f"receivedDateTime lt {instant}"


ATTACHED, UNREAD, READ = "hasAttachments eq true", "isRead eq false", "isRead eq true"
STARRED, NOT_STARRED, IMPORTANT = "flag/flagStatus eq 'flagged'", "flag/flagStatus ne 'flagged'", "importance eq 'high'"
PACIFIC, STOCKHOLM, TOKYO = "America/Los_Angeles", "Europe/Stockholm", "Asia/Tokyo"

ROWS = (
    # Words: no filter knows them; the index does.
    filtered("q002", "   ", EVER, SCOPE),
    searched("q003", "dinner", find("dinner")),
    searched("q004", "Dinner", find("dinner")),
    searched("q005", "DINNER", find("dinner")),
    searched("q007", "movies", find("movies")),
    searched("q008", "zelda", find("zelda")),
    searched("q009", "blueprint", find("blueprint")),
    searched("q011", "unicorn", find("unicorn")),
    searched("q014", '"unicorn"', find("unicorn")),
    searched("q015", "café", find("café")),
    searched("q017", "Cafe\u0301", find("café")),
    scanned("q018", "会议", SCANS_HAN, EVER, SCOPE),
    searched("q020", "3.14", find("3.14")),
    searched("q021", "1.2047", find("1.2047")),
    searched("q023", "10.0.0.1", find("10.0.0.1")),
    searched("q025", "follow-up", find("follow-up")),
    searched("q028", "let's meet", every("let's"), every("meet")),
    searched("q031", "john_smith", find("john_smith")),
    searched("q033", "1,234.50", find("1,234.50")),
    searched("q036", "& quotes", find("quotes")),
    searched("q037", "see...you", find("see...you")),
    searched("q039", "Receipt: total", every("receipt"), every("total")),
    searched("q041", "mia", find("mia")),
    searched("q042", "Déjà payé", every("déjà"), every("payé")),
    searched("q043", "stone", find("stone")),
    searched("q044", '"dinner and movie"', find("dinner and movie")),
    searched("q045", '"dinner and movie tonight"', find("dinner and movie tonight")),
    searched("q046", '"movie dinner"', find("movie dinner")),
    searched("q047", '"Movie, dinner"', find("movie, dinner")),
    searched("q048", "\u201cmovie dinner\u201d", find("movie dinner")),
    searched("q051", '"amy stone"', find("amy stone")),
    # Negations and groups: only what is positive is searched for.
    searched("q053", "dinner -movie", find("dinner")),
    searched("q054", "dinner -from:amy", find("dinner")),
    searched("q061", "dinner --movie", every("dinner"), every("movie")),
    filtered("q063", "-has:attachment label:finance", EVER, "hasAttachments eq false", marked("Finance"), SCOPE),
    filtered(
        "q065",
        "-label:work -label:work-clients is:important",
        *(EVER, f"not({marked('Work')})", f"not({marked('Work/Clients')})", IMPORTANT, SCOPE),
    ),
    narrowed("q066", "from:amy OR from:bob", EVER, by("amy", "bob"), SCOPE),
    narrowed(
        "q069",
        "(from:amy subject:trip) OR label:finance",
        *(EVER, f"(({by('amy')} and {about('trip')}) or {marked('Finance')})", SCOPE),
    ),
    narrowed(
        "q070",
        "from:bob (subject:contract OR subject:bcc)",
        *(EVER, by("bob"), f"({about('contract')} or {about('bcc')})", SCOPE),
    ),
    narrowed("q071", "from:amy AND subject:trip", EVER, by("amy"), about("trip"), SCOPE),
    narrowed("q072", "from:amy AND to:david OR to:me subject:trip", EVER, by("amy"), about("trip"), SCOPE),
    narrowed("q076", "{from:zelda from:david}", EVER, by("zelda", "david"), SCOPE),
    searched("q077", "{dinner lunch} is:unread", f"{find('dinner')} OR {find('lunch')}"),
    narrowed("q078", "{dinner OR lunch} from:amy", EVER, by("amy"), SCOPE),
    narrowed(
        "q079",
        "{(from:bob subject:beta) subject:blueprints}",
        *(EVER, f"(({by('bob')} and {about('beta')}) or {about('blueprints')})", SCOPE),
    ),
    searched("q082", "(dinner) (movie)", every("dinner"), every("movie")),
    narrowed("q084", "from:{amy bob} has:attachment", EVER, by("amy", "bob"), ATTACHED, SCOPE),
    narrowed("q086", "subject:{lunch trip}", EVER, f"({about('lunch')} or {about('trip')})", SCOPE),
    filtered("q091", "in:inbox OR in:sent from:me", EVER, IN_INBOX_OR_SENT, FROM_ME, SCOPE),
    filtered(
        "q092",
        "in:inbox (is:starred OR is:important) newer_than:1m",
        *(since("2026-02-15T12:00:00Z"), f"({STARRED} or {IMPORTANT})"),
        folder="inbox",
    ),
    filtered("q093", "-(is:read OR is:starred)", EVER, UNREAD, NOT_STARRED, SCOPE),
    # Senders.
    narrowed("q098", "from: amy", EVER, by("amy"), SCOPE),
    narrowed("q101", "from:example.com", EVER, by_all("example", "com"), SCOPE),
    narrowed("q103", 'from:"Amy Stone"', EVER, by_all("amy", "stone"), SCOPE),
    narrowed("q104", 'from:"stone amy"', EVER, by_all("stone", "amy"), SCOPE),
    filtered("q107", "from:john_smith@example.com", EVER, f"{ADDRESS} eq 'john_smith@example.com'", SCOPE),
    narrowed("q108", "from:smith", EVER, by("smith"), SCOPE),
    filtered("q113", "from:nobody@nowhere.example", EVER, f"{ADDRESS} eq 'nobody@nowhere.example'", SCOPE),
    filtered("q115", "from:amy@exam", EVER, f"{ADDRESS} eq 'amy@exam'", SCOPE),
    # Recipients: the index alone knows them, and only positively.
    searched("q119", "to:bob", 'recipients:"bob"'),
    searched("q124", "to:amy -cc:amy", 'recipients:"amy"'),
    narrowed("q125", "to:zelda from:me", EVER, FROM_ME, SCOPE),
    scanned("q126", "-to:me in:inbox", SCANS_NOT_TO, EVER, folder="inbox"),
    nothing("q128", "deliveredto:me.alias@example.org"),
    nothing("q129", "deliveredto:me -deliveredto:me.alias@example.org subject:trip"),
    narrowed("q130", "-deliveredto:me@example.com subject:lunch", EVER, about("lunch"), SCOPE),
    # Subjects: by filter where a word is ASCII, else by the index.
    narrowed("q134", 'subject:"Contract draft"', EVER, about("contract"), about("draft"), SCOPE),
    narrowed("q135", "subject:report", EVER, about("report"), SCOPE),
    narrowed("q136", "subject:re", EVER, about("re"), SCOPE),
    searched("q137", "subject:café", 'subject:"café"'),
    scanned("q138", "subject:会议", SCANS_HAN, EVER, SCOPE),
    narrowed("q139", "subject:v1.2", EVER, about("v1"), about("2"), SCOPE),
    narrowed("q142", "subject:sale -subject:spring", EVER, about("sale"), SCOPE),
    narrowed("q145", "subject:dinner subject:movie", EVER, about("dinner"), about("movie"), SCOPE),
    # Files, lists, ids.
    searched("q146", "filename:pdf", 'attachment:"pdf"'),
    searched("q147", "filename:PDF", 'attachment:"pdf"'),
    searched("q149", 'filename:"costs alpha"', 'attachment:"costs alpha"'),
    searched("q150", "filename:(costs final)", 'attachment:"costs"', 'attachment:"final"'),
    searched("q151", "filename:xlsx -in:drafts", 'attachment:"xlsx"'),
    searched("q152", "filename:png", 'attachment:"png"'),
    searched("q153", "filename:jpg", 'attachment:"jpg"'),
    scanned("q155", "-filename:pdf has:attachment", SCANS_NOT_NAMED, EVER, ATTACHED, SCOPE),
    scanned("q157", "list:dev@lists.example.com", SCANS_LIST, EVER, SCOPE),
    scanned("q159", "list:<news.example.community>", SCANS_LIST, EVER, SCOPE),
    narrowed(  # Outlook compares without case, a Message-ID differs by it
        "q162",
        "rfc822msgid:<m05@mail.example.com>",
        *(EVER, IDENTIFIED.format("m05@mail.example.com"), SCOPE),
    ),
    narrowed("q163", "rfc822msgid:nope@mail.example.com", EVER, IDENTIFIED.format("nope@mail.example.com"), SCOPE),
    narrowed("q164", "-rfc822msgid:m01@mail.example.com subject:dinner", EVER, about("dinner"), SCOPE),
    # Words near each other: both in subject or body, the distance is checked.
    searched(
        "q165",
        "holiday AROUND 8 vacation",
        *('(subject:"holiday" OR body:"holiday")', '(subject:"vacation" OR body:"vacation")'),
    ),
    searched(
        "q169",
        "secret AROUND 25 birthday",
        *('(subject:"secret" OR body:"secret")', '(subject:"birthday" OR body:"birthday")'),
    ),
    searched("q173", "subject:(holiday AROUND 2 policy)", 'subject:"holiday"', 'subject:"policy"'),
    searched(
        "q174",
        "dinner AROUND(1) movie",
        *('(subject:"dinner" OR body:"dinner")', '(subject:"movie" OR body:"movie")'),
    ),
    # What a mail has.
    filtered("q177", "has:attachment", EVER, ATTACHED, SCOPE),
    searched("q178", "has:drive", 'body:"drive.google.com" OR body:"docs.google.com"'),
    searched("q179", "has:document", 'body:"docs.google.com"'),
    searched("q182", "has:youtube", 'body:"youtube.com" OR body:"youtu.be"'),
    nothing("q185", "has:yellow-star"),
    nothing("q186", "has:red-bang"),
    filtered("q188", "HAS:Attachment is:UNREAD", EVER, ATTACHED, UNREAD, SCOPE),
    scanned("q189", "has:attachment -has:userlabels", SCANS_UNLABELLED, EVER, ATTACHED, SCOPE),
    # Labels: categories and folders whose key fits.
    filtered("q192", "label:work", EVER, marked("Work"), SCOPE),
    filtered("q194", "label:work-clients", EVER, marked("Work/Clients"), SCOPE),
    filtered("q195", 'label:"Work/Clients"', EVER, marked("Work/Clients"), SCOPE),
    filtered("q196", "label:Work/Clients", EVER, marked("Work/Clients"), SCOPE),
    filtered("q198", 'label:"Follow up"', EVER, marked("Follow up"), SCOPE),
    filtered("q200", "label:r-d", EVER, marked("R&D"), SCOPE),
    filtered("q201", "label:projects-alpha", EVER, f"parentFolderId eq '{ALPHA}'", SCOPE),
    filtered("q202", "label:projects/alpha", EVER, f"parentFolderId eq '{ALPHA}'", SCOPE),
    filtered("q203", "label:projects", EVER, f"parentFolderId eq '{PROJECTS}'", SCOPE),
    filtered("q204", "label:travel-2026", EVER, marked("Travel 2026"), SCOPE),
    nothing("q206", "label:no-such-label"),
    filtered("q211", "label:inbox is:unread", EVER, UNREAD, folder="inbox"),
    nothing("q217", "category:reservations"),
    # Places: one folder is a path; the trash has a sub-folder here, so it is a filter.
    filtered("q221", "in:inbox is:unread", EVER, UNREAD, folder="inbox"),
    filtered("q222", "in:sent", EVER, folder="sentitems"),
    filtered("q223", "in:drafts", EVER, folder="drafts"),
    filtered("q224", "in:draft", EVER, folder="drafts"),
    filtered("q226", "in:bin", EVER, IN_TRASH),
    filtered("q227", "in:spam", EVER, folder="junkemail"),
    searched("q228", "in:junk dinner", find("dinner"), folder="junkemail"),
    searched("q229", "in:spam dinner", find("dinner"), folder="junkemail"),
    narrowed("q231", "in:anywhere from:amy is:unread", EVER, by("amy"), UNREAD),
    narrowed("q233", "in:archive from:bob", EVER, IN_ARCHIVE, by("bob")),
    nothing("q234", "in:snoozed"),
    nothing("q235", "in:chats"),
    searched("q239", "-in:trash dinner", find("dinner")),
    filtered(
        "q240",
        "-in:inbox -in:sent -in:drafts is:starred",
        EVER,
        *(f"parentFolderId ne '{id_}'" for id_ in (INBOX, SENT, DRAFTS)),
        STARRED,
        SCOPE,
    ),
    filtered("q242", "{in:inbox in:sent} from:me", EVER, IN_INBOX_OR_SENT, FROM_ME, SCOPE),
    filtered("q243", "in:anywhere", EVER),
    searched("q244", "dinner in:trash", find("dinner")),
    searched("q245", "dinner {in:trash in:inbox}", find("dinner")),
    searched("q247", "in:all dinner", find("dinner")),
    filtered("q248", "in:outbox", EVER, folder="outbox"),
    # States.
    filtered("q250", "in:starred is:important", EVER, STARRED, IMPORTANT, SCOPE),
    narrowed("q252", "is:read from:david", EVER, READ, by("david"), SCOPE),
    filtered("q253", "is:starred", EVER, STARRED, SCOPE),
    nothing("q255", "is:muted"),
    nothing("q256", "is:snoozed"),
    nothing("q257", "is:chat"),
    filtered("q258", "is:important is:unread is:starred", EVER, IMPORTANT, UNREAD, STARRED, SCOPE),
    filtered("q260", "is:spam", EVER, folder="junkemail"),
    narrowed("q261", "-is:starred -is:unread from:bob", EVER, NOT_STARRED, READ, by("bob"), SCOPE),
    filtered("q262", "is:finance", EVER, marked("Finance"), SCOPE),
    # Dates: midnight in the query's zone; a date that leads needs no other bound.
    filtered(
        "q266",
        "after:03/01/2026 before:03/02/2026",
        *(since("2026-03-01T00:00:00Z"), until("2026-03-02T00:00:00Z"), SCOPE),
    ),
    filtered("q268", "newer:2026/03/13", since("2026-03-13T00:00:00Z"), SCOPE),
    filtered("q269", "older:2025/06/01", until("2025-06-01T00:00:00Z"), SCOPE),
    filtered(
        "q271",
        "after:1772352000 in:inbox before:1772352001",
        *(since("2026-03-01T08:00:00Z"), until("2026-03-01T08:00:01Z")),
        folder="inbox",
    ),
    filtered(
        "q273",
        "after:2026/03/13 OR before:2025/04/01",
        *(EVER, f"({since('2026-03-13T00:00:00Z')} or {until('2025-04-01T00:00:00Z')})", SCOPE),
    ),
    filtered("q274", "-after:2025/12/31", until("2025-12-31T00:00:00Z"), SCOPE),
    filtered(
        "q275", "after:2026/03/14 -in:drafts", since("2026-03-14T00:00:00Z"), f"parentFolderId ne '{DRAFTS}'", SCOPE
    ),
    filtered("q276", "before:2025/01/01", until("2025-01-01T00:00:00Z"), SCOPE),
    filtered(
        "q277",
        "in:sent after:2026/03/01 before:2026/04/01",
        *(since("2026-03-01T00:00:00Z"), until("2026-04-01T00:00:00Z")),
        folder="sentitems",
    ),
    filtered(
        "q281",
        "after:2026/03/01 before:2026/03/02",
        *(since("2026-03-01T08:00:00Z"), until("2026-03-02T08:00:00Z"), SCOPE),
        tz=PACIFIC,
    ),
    filtered(  # the clocks go forward on that day
        "q282",
        "after:2026/03/08 before:2026/03/09",
        *(since("2026-03-08T08:00:00Z"), until("2026-03-09T07:00:00Z"), SCOPE),
        tz=PACIFIC,
    ),
    filtered(
        "q283",
        "after:2025/06/30 before:2025/07/01",
        *(since("2025-06-30T07:00:00Z"), until("2025-07-01T07:00:00Z"), SCOPE),
        tz=PACIFIC,
    ),
    filtered(
        "q286",
        "after:2026/03/09 before:2026/03/10",
        *(since("2026-03-08T23:00:00Z"), until("2026-03-09T23:00:00Z"), SCOPE),
        tz=STOCKHOLM,
    ),
    filtered(
        "q290",
        "after:2026/03/10 before:2026/03/11",
        *(since("2026-03-09T15:00:00Z"), until("2026-03-10T15:00:00Z"), SCOPE),
        tz=TOKYO,
    ),
    # Ages: calendar steps back from noon on 15 March 2026 UTC.
    filtered("q292", "newer_than:1m", since("2026-02-15T12:00:00Z"), SCOPE),
    filtered("q293", "older_than:1y", until("2025-03-15T12:00:00Z"), SCOPE),
    filtered("q294", "newer_than:2d", since("2026-03-13T12:00:00Z"), SCOPE),
    filtered("q295", "older_than:11m -in:archive", until("2025-04-15T12:00:00Z"), f"({OUT_OF_ARCHIVE})", SCOPE),
    filtered(
        "q296", "newer_than:1y older_than:8m", since("2025-03-15T12:00:00Z"), until("2025-07-15T12:00:00Z"), SCOPE
    ),
    filtered("q297", "newer_than:3D is:unread", since("2026-03-12T12:00:00Z"), UNREAD, SCOPE),
    filtered("q299", "older_than:1m has:attachment", until("2026-02-15T12:00:00Z"), ATTACHED, SCOPE),
    # Five in the morning there, in daylight time now and in standard time a month ago.
    narrowed("q301", "newer_than:1m from:hr", since("2026-02-15T13:00:00Z"), by("hr"), SCOPE, tz=PACIFIC),
    filtered(
        "q302",
        "newer_than:7d before:2026/03/09",
        *(since("2026-03-08T12:00:00Z"), until("2026-03-09T07:00:00Z"), SCOPE),
        tz=PACIFIC,
    ),
    # Sizes.
    filtered("q306", "larger:20971520", EVER, SIZE.format("gt 20971520"), SCOPE),
    filtered("q307", "larger:10mb has:attachment", EVER, SIZE.format("gt 10485760"), ATTACHED, SCOPE),
    filtered("q308", "smaller:1000", EVER, SIZE.format("lt 1000"), SCOPE),
    filtered("q310", "-larger:1M has:attachment", EVER, SIZE.format("le 1048576"), ATTACHED, SCOPE),
    filtered("q311", "size:10485760", EVER, SIZE.format("gt 10485760"), SCOPE),
    # Everything together.
    filtered("q314", "is:unread -category:promotions newer_than:7d", since("2026-03-08T12:00:00Z"), UNREAD, SCOPE),
    narrowed(
        "q318",
        "from:(amy OR david) -in:archive newer_than:1y -subject:(re OR fw)",
        *(since("2025-03-15T12:00:00Z"), by("amy", "david"), f"({OUT_OF_ARCHIVE})", SCOPE),
    ),
    searched("q320", "list:dev.lists.example.com -from:me plan", find("plan")),
    searched("q322", "contract (is:starred OR in:sent)", find("contract")),
    searched(
        "q323",
        '"Project Alpha" {has:attachment has:presentation} older_than:3m',
        *(every("project alpha"), '(hasAttachments:true OR body:"docs.google.com")', "received<=2025-12-16"),
    ),
    searched("q326", "budget -has:attachment", every("budget"), "hasAttachments:false"),
    filtered("q327", "in:anywhere {label:work category:promotions} is:unread", EVER, marked("Work"), UNREAD),
    searched(
        "q329",
        "(a OR b) (c OR d) (e OR f)",
        *(f"({find(one)} OR {find(other)})" for one, other in ("ab", "cd", "ef")),
    ),
    narrowed("q333", "subject:trip cc:me -deliveredto:me@example.com", EVER, about("trip"), SCOPE),
    searched("q338", "grew -subject:dinner -movie", find("grew")),
    searched("q339", "to:me rare -subject:unicorn", TO_ME, every("rare")),
    searched("q341", "announcement OR (alert -dinner)", f"{find('announcement')} OR {find('alert')}"),
    searched("q342", "to:me -filename:photo zip", TO_ME, every("zip")),
    searched("q345", "dinner before:2026/01/01", every("dinner"), "received<=2026-01-02"),
    searched("q346", "to:me before:2026/01/01 after:2025/07/01", TO_ME, "received<=2026-01-02", "received>=2025-06-30"),
    searched("q349", "to:david before:2025/07/01", 'recipients:"david"', "received<=2025-07-02"),
    searched(
        "q350",
        "cc:me before:2025/07/01",
        *('(cc:"me@example.com" OR cc:"me.alias@example.org")', "received<=2025-07-02"),
    ),
    searched("q351", "dinner before:2026/01/01", every("dinner"), "received<=2026-01-01", tz=STOCKHOLM),
    searched(
        "q353",
        "to:david after:2025/01/01 before:2025/07/02",
        *('recipients:"david"', "received>=2024-12-30", "received<=2025-07-02"),
        tz=STOCKHOLM,
    ),
    searched("q354", "in:anywhere sale before:2026/03/01", every("sale"), "received<=2026-03-02", tz=PACIFIC),
)
