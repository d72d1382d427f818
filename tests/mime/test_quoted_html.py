"""HTML sorted by the containers that mail programs put round quotes and signatures."""

from __future__ import annotations

import pytest

from mailkit.mime.quoted import said_in_html, split_html
from mailkit.values import Address

_NEW = "<div>At ten.</div><div><br></div><div>Bob</div>"
# No attribution in a language that is known: the container alone has to tell.
_ZWZ = "Zwz 2, Ann:"

QUOTES = {
    "gmail": f'<div class="gmail_quote">{_ZWZ}<br><blockquote class="gmail_quote">Shall we?</blockquote></div>',
    "gmail, newer": f'<div class="gmail_quote gmail_quote_container"><div class="gmail_attr">{_ZWZ}</div>'
    '<blockquote class="gmail_quote" style="border-left:1px solid">Shall we?</blockquote></div>',
    "outlook, desktop": "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p>"
    f"<b>Zrom:</b> {_ZWZ}</p></div><p>Shall we?</p>",
    "outlook, web": f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">{_ZWZ}</div><div>Shall we?</div>',
    "outlook, renamed": f'<hr><div id="x_divRplyFwdMsg">{_ZWZ}</div><div>Shall we?</div>',
    "outlook, phone": f'<div id="mail-editor-reference-message-container">{_ZWZ}<div>Shall we?</div></div>',
    "outlook, mac": f'<span id="OLK_SRC_BODY_SECTION">{_ZWZ}<div>Shall we?</div></span>',
    "hotmail": f'<hr id="stopSpelling">{_ZWZ}<br>Shall we?',
    "windows mail": '<div style="padding-top: 5px; border-top-color: rgb(229, 229, 229); border-top-width: 1px;">'
    f"{_ZWZ}</div><div>Shall we?</div>",
    "apple": f'<blockquote type="cite"><div>{_ZWZ}</div><div>Shall we?</div></blockquote>',
    "thunderbird": f'<div class="moz-cite-prefix">{_ZWZ}<br></div>'
    '<blockquote type="cite" cite="mid:1">Shall we?</blockquote>',
    "yahoo": f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div>{_ZWZ}</div><div>Shall we?</div></div>',
    "zimbra": f'<hr id="zwchr" data-marker="__DIVIDER__"><div>{_ZWZ}<br>Shall we?</div>',
    "proton": f'<div class="protonmail_quote">{_ZWZ}<blockquote type="cite">Shall we?</blockquote></div>',
    "zoho": f'<div class="zmail_extra">{_ZWZ}<blockquote>Shall we?</blockquote></div>',
    "mail.ru": f'<div class="js-helper js-readmsg-msg">{_ZWZ}<div>Shall we?</div></div>',
    "yandex": f"<blockquote>{_ZWZ}<br/>Shall we?</blockquote>",
    "netease": f'<div id="isReplyContent">{_ZWZ}<div>Shall we?</div></div>',
}

SIGNATURES = {
    "gmail": '<span class="gmail_signature_prefix">-- </span><br><div class="gmail_signature"><div>Bob Ray</div></div>',
    "outlook, web": '<div id="Signature"><div>Bob Ray</div></div>',
    "outlook, phone": '<div id="ms-outlook-mobile-signature">Bob Ray</div>',
    "windows mail": '<div data-signatureblock="true"><div>Bob Ray</div></div>',
    "apple": '<div id="AppleMailSignature">Bob Ray</div>',
    "thunderbird": '<pre class="moz-signature" cols="72">-- \nBob Ray</pre>',
    "proton": '<div class="protonmail_signature_block">Bob Ray</div>',
    "yahoo": '<div id="ymail_android_signature">Bob Ray</div>',
}


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES)
@pytest.mark.parametrize("frame", ["{}{}", "<html><body><div>{}</div>{}</body></html>", "<table><tr><td><div>{}<br>{}"])
def test_a_container_is_quoted(quote: str, frame: str) -> None:
    split = split_html(frame.format(_NEW, quote))
    assert (split.new, split.signature, split.forwarded_from) == ("At ten.\n\nBob", "", None)
    assert _words(split.quoted).endswith(f"{_ZWZ} Shall we?")


@pytest.mark.parametrize(
    "quote", [value for name, value in QUOTES.items() if "<hr" not in value and "border-top" not in value]
)
def test_what_stands_below_a_container_is_new(quote: str) -> None:
    split = split_html(f"{quote}<p>At ten.</p>")
    assert (split.new, _words(split.quoted)) == ("At ten.", f"{_ZWZ} Shall we?")


@pytest.mark.parametrize("signature", SIGNATURES.values(), ids=SIGNATURES)
@pytest.mark.parametrize("quote", ["", QUOTES["gmail"], QUOTES["outlook, web"]])
def test_a_signature_is_told_apart(signature: str, quote: str) -> None:
    split = split_html(f"{_NEW}{signature}{quote}")
    assert (split.new, _words(split.signature).removeprefix("-- ")) == ("At ten.\n\nBob", "Bob Ray")
    assert bool(split.quoted) is bool(quote)


def test_answers_within_the_container_are_new() -> None:
    split = split_html(
        f'<p>Hi,</p><div class="gmail_quote">{_ZWZ}<blockquote class="gmail_quote">When?</blockquote>At ten.'
        '<blockquote class="gmail_quote">Where?</blockquote>At home.</div>'
    )
    assert split.new == "Hi,\n\nAt ten.\n\nAt home."
    assert _words(split.quoted) == f"{_ZWZ} When? Where?"


FORWARDS = {
    "gmail": '<div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: '
    "<b>Ann</b> &lt;ann@example.com&gt;<br>Date: Mon<br>Subject: Lunch<br>To: Bob<br></div>{}</div>",
    "outlook": '<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Ann &lt;ann@example.com&gt;<br>'
    "<b>Sent:</b> Monday<br><b>To:</b> Bob<br><b>Subject:</b> Lunch</div>{}",
    "apple": '<div>Begin forwarded message:</div><br><blockquote type="cite"><div><b>From: </b>Ann &lt;ann@example.com'
    "&gt;</div><div><b>Subject: </b>Lunch</div>{}</blockquote>",
}


@pytest.mark.parametrize("forward", FORWARDS.values(), ids=FORWARDS)
def test_a_forward_names_who_wrote_what_it_passes_on(forward: str) -> None:
    html = forward.format("<p>Shall we?</p><blockquote>Bob wrote</blockquote><p>Ann</p>")
    split = split_html(html)
    assert split.forwarded_from == Address(name="Ann", address="ann@example.com")
    assert _words(split.new) == _words(split.quoted)
    assert _words(split.new).endswith("Shall we? Bob wrote Ann")


def test_the_forward_within_a_quote_is_none() -> None:
    split = split_html(
        '<p>Thanks!</p><div class="gmail_quote"><div class="gmail_attr">On 2 Apr 2012, Ann wrote:</div><blockquote>'
        "---------- Forwarded message ---------<br>From: Cy &lt;cy@example.com&gt;</blockquote></div>"
    )
    assert (split.new, split.forwarded_from) == ("Thanks!", None)


@pytest.mark.parametrize(
    ("html", "new"),
    [
        ("", ""),
        ("<p>At ten.</p>", "At ten."),
        ('<blockquote style="margin:0 0 0 40px;border:none">indented</blockquote>', "indented"),
        ('a<blockquote style="margin:0 0 0 40px;border-left:none">indented</blockquote>', "a\n\nindented"),
        ('a<!-- <div class="gmail_quote"> -->b', "ab"),
        ('a<!-- <div class="gmail_quote">b', "a"),  # never closed, so no comment
        ('<div class="gmail_quote">all</div>', "all"),
        ("a\ufdd0b\ufdd3c", "abc"),
        ('a<div class="gmail_quote">b</div></div></div>c', "a\n\nc"),
        ('a<div title="x" class = gmail_quote>b', "a"),
        ("a<DIV CLASS='Gmail_Quote'>b</DIV>c", "a\n\nc"),
        ('a<div data-class="gmail_quote">b</div>', "a\nb"),
    ],
)
def test_markup_is_read_as_browsers_do(html: str, new: str) -> None:
    assert split_html(html).new == new


def test_what_containers_leave_is_said() -> None:
    assert said_in_html("<p>At ten.</p><p>On 2 Apr 2012, Ann wrote:</p><p>When?</p>") == ""
    assert _words(said_in_html(f"{_NEW}{SIGNATURES['gmail']}{QUOTES['gmail']}")) == "At ten. Bob -- Bob Ray"
