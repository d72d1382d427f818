"""Plain text sorted into new, quoted and signature: every client and language with a sample of its own."""

# ruff: noqa: RUF001 - the languages of mail are written in other alphabets, too
from __future__ import annotations

import pytest

from mailkit.mime.quoted import split_text
from mailkit.values import Address

ATTRIBUTIONS = {
    "english, gmail": "On Mon, Apr 2, 2012 at 6:26 PM, Ann Lee <ann@example.com> wrote:",
    "english, gmail, wrapped": "On Mon, Apr 2, 2012 at 6:26 PM, Ann Lee\n<ann@example.com> wrote:",
    "english, wrapped in the date": "On Mon, 2 Apr\n2012 at 6:26 PM, Ann Lee <ann@example.com> wrote:",
    "english, wrapped twice": (
        "On Mon, Apr 2, 2012 at 6:26 PM, Ann Lee of Example Incorporated\n<ann@example.com>\nwrote:"
    ),
    "english, apple": "On 2 Apr 2012, at 18:26, Ann Lee wrote:",
    "english, thunderbird": "On 04/02/2012 06:26 PM, Ann Lee wrote:",
    "english, yahoo classic": "--- On Mon, 4/2/12, Ann Lee <ann@example.com> wrote:",
    "english, without a date": '"Ann Lee" <ann@example.com> writes:',
    "english, zoho": "---- On Mon, 02 Apr 2012 18:26:00 +0100 Ann Lee <ann@example.com> wrote ----",
    "german, gmail": "Am Mo., 2. Apr. 2012 um 18:26 Uhr schrieb Ann Lee <ann@example.com>:",
    "german, wrapped": "Am 02.04.2012 um 18:26 schrieb Ann Lee\n<ann@example.com>:",
    "german, name first": "Ann Lee <ann@example.com> schrieb am Mo., 2. Apr. 2012, 18:26:",
    "german, yahoo": "Am Montag, 2. April 2012 um 18:26:00 MESZ hat Ann Lee <ann@example.com> Folgendes geschrieben:",
    "french, gmail": "Le lun. 2 avr. 2012 à 18:26, Ann Lee <ann@example.com> a écrit :",
    "french, wrapped": "Le lun. 2 avr. 2012 à 18:26, Ann Lee <ann@example.com>\na écrit\xa0:",
    "spanish": "El lun, 2 abr 2012 a las 18:26, Ann Lee (<ann@example.com>) escribió:",
    "italian": "Il giorno lun 2 apr 2012 alle ore 18:26 Ann Lee <ann@example.com> ha scritto:",
    "dutch": "Op ma 2 apr. 2012 om 18:26 schreef Ann Lee <ann@example.com>:",
    "dutch, apple": "Op 2 apr. 2012, om 18:26 heeft Ann Lee <ann@example.com> het volgende geschreven:",
    "polish": "pon., 2 kwi 2012 o 18:26 Ann Lee <ann@example.com> napisał(a):",
    "polish, apple": "Wiadomość napisana przez Ann Lee <ann@example.com> w dniu 2 kwi 2012, o godz. 18:26:",
    "catalan": "Missatge de Ann Lee <ann@example.com> del dia dl., 2 d’abr. 2012 a les 18:26:",
    "galician": "O luns, 2 abr 2012 ás 18:26, Ann Lee (<ann@example.com>) escribiu:",
    "basque": "Ann Lee (<ann@example.com>) erabiltzaileak idatzi zuen (2012 api. 2, al. 18:26):",
    "croatian": "pon, 2. tra 2012. u 18:26 Ann Lee <ann@example.com> napisao je:",
    "slovene": "V V pon., 2. apr. 2012 ob 18:26 je oseba Ann Lee <ann@example.com> napisala:",
    "afrikaans": "Op Ma., 2 Apr. 2012 om 18:26 het Ann Lee <ann@example.com> geskryf:",
    "icelandic": "mán., 2. apr. 2012 kl. 18:26 skrifaði Ann Lee <ann@example.com>:",
    "persian": "در تاریخ دوشنبه ۲ آوریل ۲۰۱۲، 18:26 Ann Lee <ann@example.com> نوشت:",
    "hindi": "सोम, 2 अप्रैल 2012 को 18:26 बजे को Ann Lee <ann@example.com> ने लिखा:",
    "polish, thunderbird": "W dniu 02.04.2012 o 18:26, Ann Lee pisze:",
    "portuguese": "Em seg., 2 de abr. de 2012 às 18:26, Ann Lee <ann@example.com> escreveu:",
    "portuguese, name first": "Ann Lee <ann@example.com> escreveu no dia segunda, 2/04/2012 à(s) 18:26:",
    "danish": "Den man. 2. apr. 2012 kl. 18.26 skrev Ann Lee <ann@example.com>:",
    "norwegian": "man. 2. apr. 2012 kl. 18:26 skrev Ann Lee <ann@example.com>:",
    "swedish": "Den mån 2 apr. 2012 kl 18:26 skrev Ann Lee <ann@example.com>:",
    "finnish": "ma 2. huhtik. 2012 klo 18.26 Ann Lee (ann@example.com) kirjoitti:",
    "czech": "po 2. 4. 2012 v 18:26 odesílatel Ann Lee <ann@example.com> napsal:",
    "czech, thunderbird": "Dne 02. 04. 12 v 18:26 Ann Lee napsal(a):",
    "slovak": "po 2. 4. 2012 o 18:26 Ann Lee <ann@example.com> napísal(a):",
    "russian": "пн, 2 апр. 2012 г. в 18:26, Ann Lee <ann@example.com>:",
    "russian, older, wrapped": '2 апреля 2012 г., 18:26 пользователь "Ann Lee" <\nann@example.com> написал:',
    "russian, yandex": '02.04.2012, 18:26, "Ann Lee" <ann@example.com>:',
    "russian, mail.ru": "Mon, 2 Apr 2012 18:26:51 +0400 от Ann Lee <ann@example.com>:",
    "ukrainian": "пн, 2 квіт. 2012 р. о 18:26 Ann Lee <ann@example.com> пише:",
    "vietnamese": "Vào Th 2, 2 thg 4, 2012 vào lúc 18:26 Ann Lee <ann@example.com> đã viết:",
    "chinese, simplified": "Ann Lee <ann@example.com> 于2012年4月2日周一 18:26写道：",
    "chinese, apple": "在 2012年4月2日，下午6:26，Ann Lee <ann@example.com> 写道：",
    "chinese, traditional": "Ann Lee <ann@example.com> 於 2012年4月2日 週一 下午6:26寫道：",
    "japanese": "2012年4月2日(月) 18:26 Ann Lee <ann@example.com>:",
    "japanese, apple": "2012/04/02 18:26、Ann Leeのメール:",
    "korean": "2012년 4월 2일 (월) 오후 6:26, Ann Lee <ann@example.com>님이 작성:",
    "turkish": "Ann Lee <ann@example.com>, 2 Nis 2012 Pzt, 18:26 tarihinde şunu yazdı:",
    "hungarian": "Ann Lee <ann@example.com> ezt írta (időpont: 2012. ápr. 2., H, 18:26):",
    "romanian": "În lun., 2 apr. 2012 la 18:26, Ann Lee <ann@example.com> a scris:",
    "greek": "Στις Δευ 2 Απρ 2012 στις 6:26 μ.μ., ο χρήστης Ann Lee <ann@example.com> έγραψε:",
    "hebrew": "\u202bבתאריך יום ב׳, 2 באפר׳ 2012 ב-18:26 "
    "מאת \u202aAnn Lee\u202c\u200f <\u202aann@example.com\u202c\u200f>:\u202c",
    "indonesian": "Pada tanggal Sen, 2 Apr 2012 pukul 18.26 Ann Lee <ann@example.com> menulis:",
    "a language unknown": "Luni 2 Zzz 2012, 18:26 Ann Lee <ann@example.com>:",
}

HEADS = {
    "english": "From: Ann Lee <ann@example.com>\nSent: Monday, April 2, 2012 6:26 PM\nTo: Bob\nSubject: Lunch",
    "english, bold": (
        "*From:* Ann Lee <ann@example.com>\n*Sent:* Monday, April 2, 2012 6:26 PM\n*To:* Bob\n*Subject:* Lunch"
    ),
    "english, mailto": "From: Ann Lee [mailto:ann@example.com]\nSent: April-02-12 6:26 PM\nTo: Bob\nSubject: Lunch",
    "english, wrapped": (
        "From: Ann Lee <ann@example.com>\nTo: Bob Ray <bob@example.com>,\n"
        " Cy <cy@example.com>\nDate: 2 Apr\nSubject: Lunch"
    ),
    "german": "Von: Ann Lee <ann@example.com>\nGesendet: Montag, 2. April 2012 18:26\nAn: Bob\nBetreff: Essen",
    "french": "De : Ann Lee <ann@example.com>\nEnvoyé : lundi 2 avril 2012 18:26\nÀ : Bob\nObjet : Déjeuner",
    "french, no-break blanks": (
        "De\xa0: Ann Lee <ann@example.com>\nEnvoyé\xa0: lundi 2 avril 2012\nÀ\xa0: Bob\nObjet\xa0: Déjeuner"
    ),
    "spanish": "De: Ann Lee <ann@example.com>\nEnviado el: lunes, 2 de abril de 2012 18:26\nPara: Bob\nAsunto: Comida",
    "italian": "Da: Ann Lee <ann@example.com>\nInviato: lunedì 2 aprile 2012 18:26\nA: Bob\nOggetto: Pranzo",
    "dutch": "Van: Ann Lee <ann@example.com>\nVerzonden: maandag 2 april 2012 18:26\nAan: Bob\nOnderwerp: Lunch",
    "polish": "Od: Ann Lee <ann@example.com>\nWysłano: poniedziałek, 2 kwietnia 2012 18:26\nDo: Bob\nTemat: Obiad",
    "portuguese": (
        "De: Ann Lee <ann@example.com>\nEnviada em: segunda-feira, 2 de abril de 2012\nPara: Bob\nAssunto: Almoço"
    ),
    "danish": "Fra: Ann Lee <ann@example.com>\nSendt: 2. april 2012 18:26\nTil: Bob\nEmne: Frokost",
    "swedish": "Från: Ann Lee <ann@example.com>\nSkickat: den 2 april 2012 18:26\nTill: Bob\nÄmne: Lunch",
    "finnish": (
        "Lähettäjä: Ann Lee <ann@example.com>\n"
        "Lähetetty: maanantai 2. huhtikuuta 2012\nVastaanottaja: Bob\nAihe: Lounas"
    ),
    "czech": "Od: Ann Lee <ann@example.com>\nOdesláno: pondělí 2. dubna 2012 18:26\nKomu: Bob\nPředmět: Oběd",
    "russian": "От: Ann Lee <ann@example.com>\nОтправлено: 2 апреля 2012 г. 18:26\nКому: Bob\nТема: Обед",
    "vietnamese": "Từ: Ann Lee <ann@example.com>\nĐã gửi: Thứ Hai, 2 tháng 4, 2012\nTới: Bob\nChủ đề: Bữa trưa",
    "chinese": "发件人: Ann Lee <ann@example.com>\n发送时间: 2012年4月2日 18:26\n收件人: Bob\n主题: 午餐",
    "chinese, traditional": "寄件者： Ann Lee <ann@example.com>\n寄件日期： 2012年4月2日\n收件者： Bob\n主旨： 午餐",
    "japanese": "差出人: Ann Lee <ann@example.com>\n送信日時: 2012年4月2日 18:26\n宛先: Bob\n件名: 昼食",
    "korean": "보낸 사람: Ann Lee <ann@example.com>\n보낸 날짜: 2012년 4월 2일 월요일\n받는 사람: Bob\n제목: 점심",
    "bulgarian": "От: Ann Lee <ann@example.com>\nИзпратено: 2 април 2012 г.\nДо: Bob\nОтносно: Обяд",
    "catalan": "De: Ann Lee <ann@example.com>\nEnviat el: dilluns, 2 abril 2012\nPer a: Bob\nTema: Dinar",
    "turkish": "Kimden: Ann Lee <ann@example.com>\nGönderildi: 2 Nisan 2012 Pazartesi\nKime: Bob\nKonu: Öğle yemeği",
    "notes, in two lines": "Ann Lee <ann@example.com>\n02.04.2012 18:26\n\nTo: Bob/ACME@ACME\ncc:\nSubject: Lunch",
    "notes, in one line": "Ann Lee <ann@example.com> on 04/02/2012 06:26 PM\nTo:\tBob/ACME\ncc:\t \nSubject:\tLunch",
    "a paragraph for each field": "From: Ann Lee <ann@example.com>\n\nSent: Monday\n\nTo: Bob\n\nSubject: Lunch",
    "values below the labels": "From:\nAnn Lee <ann@example.com>\nSent:\nMonday\nTo:\nBob\nSubject:\nLunch",
}

ORIGINALS = [
    "-----Original Message-----",
    "----- Original Message -----",
    "-------- Original message --------",
    "--- Original Message ---",
    "-----Ursprüngliche Nachricht-----",
    "-------- Message d'origine --------",
    "-----Mensaje original-----",
    "-----Messaggio originale-----",
    "-----Oorspronkelijk bericht-----",
    "-----Wiadomość oryginalna-----",
    "-----Mensagem original-----",
    "-----Oprindelig meddelelse-----",
    "-----Opprinnelig melding-----",
    "-----Ursprungligt meddelande-----",
    "-----Alkuperäinen viesti-----",
    "---------- Původní e-mail ----------",
    "-----Исходное сообщение-----",
    "-----Tin nhắn gốc-----",
    "------------------ 原始邮件 ------------------",
    "-----元のメッセージ-----",
    "-----원본 메시지-----",
]

FORWARDS = [
    "---------- Forwarded message ----------",
    "---------- Forwarded message ---------",
    "-------- Forwarded Message --------",
    "Begin forwarded message:",
    "-------- Weitergeleitete Nachricht --------",
    "Anfang der weitergeleiteten Nachricht:",
    "---------- Message transféré ----------",
    "Début du message réexpédié :",
    "---------- Mensaje reenviado ----------",
    "Inizio messaggio inoltrato:",
    "---------- Doorgestuurd bericht ----------",
    "---------- Przekazana wiadomość ----------",
    "---------- Mensagem encaminhada ----------",
    "---------- Videresendt besked ----------",
    "---------- Videresendt melding ----------",
    "Vidarebefordrat brev:",
    "---------- Välitetty viesti ----------",
    "---------- Přeposlaná zpráva ----------",
    "-------- Пересылаемое сообщение --------",
    "---------- Tin nhắn đã chuyển tiếp ----------",
    "-------- 转发邮件信息 --------",
    "---------- 転送メッセージ ----------",
    "---------- 전달된 메시지 ----------",
]

TAGLINES = [
    "Sent from my iPhone",
    "Sent from my mobile, please excuse the brevity.",
    "Sent from Yahoo Mail on Android",
    "Sent with Proton Mail secure email.",
    "Get Outlook for iOS",
    "Get Outlook for Android<https://aka.example/a>",
    "Von meinem iPhone gesendet",
    "Gesendet mit der GMX Mail App",
    "Holen Sie sich Outlook für iOS",
    "Envoyé de mon iPhone",
    "Télécharger Outlook pour Android",
    "Enviado desde mi iPhone",
    "Enviado do meu iPhone",
    "Inviato da iPhone",
    "Verstuurd vanaf mijn iPhone",
    "Wysłane z iPhone'a",
    "Sendt fra min iPhone",
    "Skickat från min iPhone",
    "Lähetetty iPhonesta",
    "Odesláno z iPhonu",
    "Отправлено с iPhone",
    "Đã gửi từ iPhone của tôi",
    "发自我的iPhone",
    "從我的 iPhone 傳送",
    "iPhoneから送信",
    "나의 iPhone에서 보냄",
    "iPhone'umdan gönderildi",
]

SIGNATURES = {
    "dashes": "-- \nBob Ray\nExample Incorporated",
    "dashes, blank lost": "--\nBob Ray",
    "a list's footer": "_______________________________________________\nCooks mailing list\nCooks@lists.example",
    "another list's footer": "---\nTo unsubscribe, write to cooks@lists.example",
    "a card": "Bob Ray\nbob@example.com\n+1 (555) 010-0199",
    "a rule and a card": "----------------\n\nBob Ray\nCook\n\ntel. 555-010-0199",
    "english disclaimer": "This email and any attachments are confidential and intended solely for the addressee.",
    "german disclaimer": "Diese E-Mail ist vertraulich. Wenn Sie nicht der Empfänger sind, löschen Sie sie bitte.",
    "french disclaimer": "Ce message est confidentiel. Si vous n'en êtes pas le destinataire, merci de le détruire.",
    "spanish disclaimer": "Este mensaje es confidencial y se dirige a su destinatario.",
    "rule and disclaimer": (
        "________________\nCONFIDENTIALITY NOTICE: privileged; if you are not the intended recipient, delete it."
    ),
}


@pytest.mark.parametrize("line", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
@pytest.mark.parametrize("quote", ["> Shall we?\n> Ann", "\n> Shall we?", "\nShall we?\n\nAnn"])
def test_an_attribution_belongs_to_the_quote(line: str, quote: str) -> None:
    split = split_text(f"At ten.\nAs always!\n\n{line}\n{quote}")
    assert (split.new, split.quoted, split.signature) == ("At ten.\nAs always!", f"{line}\n{quote}", "")
    assert split.forwarded_from is None


@pytest.mark.parametrize("line", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_what_is_written_below_the_quote_is_new(line: str) -> None:
    split = split_text(f"{line}\n> Shall we?\n>\n> Ann\n\nAt ten.")
    assert (split.new, split.quoted) == ("At ten.", f"{line}\n> Shall we?\n>\n> Ann")


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize(
    "above",
    [
        "",
        "________________________________\n",
        "-----Original Message-----\n",
        "-----\n\n",
        "----- Eilkirjeldus -----\n",
    ],
)
def test_the_head_of_a_message_begins_the_quote(head: str, above: str) -> None:
    split = split_text(f"At ten.\n\n{above}{head}\n\nShall we?")
    assert (split.new, split.quoted) == ("At ten.", f"{above}{head}\n\nShall we?")
    assert split.forwarded_from is None


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_head_with_nothing_new_above_is_a_forward(head: str) -> None:
    split = split_text(f"Get Outlook for iOS\n\n{head}\n\nShall we?")
    assert split.forwarded_from == Address(name="Ann Lee", address="ann@example.com")
    assert split.quoted == f"{head}\n\nShall we?"


_ATTRIBUTION = "On 2 Apr 2012, Ann Lee <ann@example.com> wrote:"


@pytest.mark.parametrize("announced", [*HEADS.values(), f"{ORIGINALS[2]}\n{HEADS['english']}", ORIGINALS[0]])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_what_is_written_below_a_marked_quote_is_new_whatever_announces_it(announced: str, gap: str) -> None:
    quote = f"{announced}{gap}> Shall we?\n>\n> Ann"
    split = split_text(f"{quote}\n\nAt ten.")
    assert (split.new, split.quoted, split.forwarded_from) == ("At ten.", quote, None)
    assert split_text(quote).quoted == quote


def test_a_marker_above_an_attribution_belongs_to_the_quote() -> None:
    quote = f"{ORIGINALS[0]}\n{_ATTRIBUTION}\n> Shall we?"
    split = split_text(f"{quote}\n\nAt ten.")
    assert (split.new, split.quoted) == ("At ten.", quote)


def test_below_something_new_a_head_takes_all_the_rest() -> None:
    quote = f"{HEADS['english']}\n\n> When?\n\nAt nine."
    split = split_text(f"At ten!\n\n{quote}")
    assert (split.new, split.quoted) == ("At ten!", quote)


@pytest.mark.parametrize("line", ORIGINALS)
def test_an_original_message_is_quoted(line: str) -> None:
    split = split_text(f"At ten.\n\n{line}\nFoo: bar\n\nShall we?")
    assert (split.new, split.quoted) == ("At ten.", f"{line}\nFoo: bar\n\nShall we?")


@pytest.mark.parametrize("line", FORWARDS)
@pytest.mark.parametrize("above", ["", "For you.\n\n"])
def test_a_forward_names_who_wrote_what_it_passes_on(line: str, above: str) -> None:
    passed = (
        f"{line}\nFrom: Ann Lee <ann@example.com>\nDate: 2 Apr 2012\nSubject: Lunch\nTo: Bob\n\nShall we?\n-- \nAnn"
    )
    split = split_text(above + passed)
    assert (split.new, split.quoted) == (above.strip() or passed, passed)
    assert split.forwarded_from == Address(name="Ann Lee", address="ann@example.com")


@pytest.mark.parametrize(
    ("below", "who"),
    [
        (
            "\n> From: Ann <ann@example.com>\n> Subject: Lunch\n> Date: 2 Apr\n> To: Bob",
            Address(name="Ann", address="ann@example.com"),
        ),
        ('\n02.04.2012, 18:26, "Ann" <ann@example.com>:\n\nHi', Address(name="Ann", address="ann@example.com")),
        ("\nFrom: Ann Lee\nSubject: Lunch", Address(name="Ann Lee", address="")),
        ("\nFrom:\nann@example.com\nSubject: Lunch", Address(address="ann@example.com")),
        ("\nShall we?", None),
        ("", None),
    ],
)
def test_the_sender_of_what_is_forwarded_is_read_as_far_as_it_is_told(below: str, who: Address | None) -> None:
    assert split_text(f"For you.\n\n---------- Forwarded message ----------{below}").forwarded_from == who


def test_a_reply_to_a_forward_is_none() -> None:
    quoted = (
        "On 2 Apr 2012, Ann <ann@example.com> wrote:\n"
        "> ---------- Forwarded message ----------\n> From: Cy <cy@example.com>"
    )
    split = split_text(f"Thanks!\n\n{quoted}")
    assert (split.new, split.quoted, split.forwarded_from) == ("Thanks!", quoted, None)


@pytest.mark.parametrize("line", TAGLINES)
@pytest.mark.parametrize("below", ["", "\n\nOn 2 Apr 2012, at 18:26, Ann wrote:\n\n> Shall we?"])
def test_the_line_of_a_mail_program_is_signature(line: str, below: str) -> None:
    split = split_text(f"At ten.\n\n{line}{below}")
    assert (split.new, split.signature, split.quoted) == ("At ten.", line, below.strip())


@pytest.mark.parametrize("signature", SIGNATURES.values(), ids=SIGNATURES)
@pytest.mark.parametrize("below", ["", "\n\nOn 2 Apr 2012, at 18:26, Ann wrote:\n\n> Shall we?"])
def test_a_signature_is_told_apart(signature: str, below: str) -> None:
    split = split_text(f"At ten.\n\nSee you,\nBob\n\n{signature}{below}")
    assert (split.new, split.signature, split.quoted) == ("At ten.\n\nSee you,\nBob", signature, below.strip())


def test_a_name_above_the_footer_of_a_list_is_new() -> None:
    footer = "________________\nTalk mailing list\ntalk@lists.example.com\nhttps://lists.example.com/listinfo/talk"
    split = split_text(f"At ten.\n\nBob\n{footer}")
    assert (split.new, split.signature) == ("At ten.\n\nBob", footer)


def test_answers_between_the_quotes_are_new() -> None:
    text = "Hi Ann,\n\nOn 2 Apr 2012, Ann wrote:\n> When?\n\nAt ten.\n\n> Where?\nAt home.\n>\n> Ann\n-- \nBob"
    split = split_text(text)
    assert split.new == "Hi Ann,\n\nAt ten.\n\nAt home."
    assert split.quoted == "On 2 Apr 2012, Ann wrote:\n> When?\n\n> Where?\n\n>\n> Ann"
    assert split.signature == "-- \nBob"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "At ten.",
        "Three things:\n\n- one\n- two",
        "From: Berlin\nTo: Paris\nDate: 3 May, 10:00\n\nIs that right?",
        "From: me\nTo: you",
        "It is done.\n02.04.2012 18:26\n\nTo: Bob\nSubject: Lunch",
        "To: Bob\nSubject: Lunch",
        "02.04.2012\nTo: Bob\nSubject: Lunch",
        "I wrote:\nnothing.",
        "The plan for 12.05.2012, 10:30:\n\nwe meet.",
        "Please write to Ann <ann@example.com> by 12.05.2012:\nshe knows.",
        "He sent from my office a fax. Sent from the fax, that is: a letter!",
        "Look!\n>>>HERE<<<\nGood.",
        "I wonder.\n>From here on, all is well.\nGood.",
        "This email is confidential.\n\nAnd now the story.",
        "Original message",
        "Forwarded message",
        "-- but no\nmore",
        "Call me:\n+1 555 010-0199\nbob@example.com",
        "\n".join(["--", *["line"] * 40]),
        "The days:\n---\n2026-03-02\n03.03.2026\nand the version\n2.40.1",
        "\n".join(["Please apply.\n---", *["+line"] * 14, "bob@example.com"]),
    ],
)
def test_what_only_looks_alike_stays_new(text: str) -> None:
    split = split_text(text)
    assert (split.new, split.quoted, split.signature, split.forwarded_from) == (text, "", "", None)


@pytest.mark.parametrize(
    "text", ["> all\n> quoted", "-- \nBob", "On 2 Apr 2012, Ann wrote:\n> When?", "Sent from my iPhone"]
)
def test_where_nothing_is_new_all_of_it_is(text: str) -> None:
    split = split_text(text)
    assert split.new == text
    assert split.quoted or split.signature


def test_line_ends_and_invisible_characters_hide_nothing() -> None:
    text = "\ufeffAt ten.\r\n\r\n\u200bOn 2 Apr 2012 at 18:26,\r\nAnn wrote:\u200e\r\n\u200b> When?\r\rOK\r\n"
    split = split_text(text)
    assert split.new == "\ufeffAt ten.\n\nOK"
    assert split.quoted == "\u200bOn 2 Apr 2012 at 18:26,\nAnn wrote:\u200e\n\u200b> When?"


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("At ten.", "At ten."),
        ("At\nten.\n\n", "At ten."),
        ("Zwz, 2: When?", "Zwz, 2:\nWhen?"),
        ("At", "At ten.\n\nZwz, 2:\nWhen?"),  # not up to the end of a line
        ("Something else", "At ten.\n\nZwz, 2:\nWhen?"),
        ("At ten. Zwz, 2: When?", "At ten.\n\nZwz, 2:\nWhen?"),
        ("At ten. Zwz, 2: When? And where?", "At ten.\n\nZwz, 2:\nWhen?"),
        (" ", "At ten.\n\nZwz, 2:\nWhen?"),
    ],
)
def test_a_hint_counts_where_the_text_shows_no_quote(said: str, new: str) -> None:
    assert split_text("At ten.\n\nZwz, 2:\nWhen?", said=said).new == new


def test_what_the_text_shows_goes_before_a_hint() -> None:
    assert split_text("Hi.\nAt ten.\n> When?", said="Hi.").new == "Hi.\nAt ten."
