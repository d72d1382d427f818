"""The words by which mail programs mark what is quoted, in the languages they speak.

Tables only: each was taken from what the programs write (Gmail, Outlook, Apple Mail, Thunderbird, Yahoo, Zimbra and
others) and grows by a line. Whatever is looked up here is lower case and free of invisible characters.
"""

# ruff: noqa: RUF001 - the languages of mail are written in other alphabets, too
from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["DATE", "FIELDS", "FORWARDS", "OPENERS", "ORIGINALS", "VERBS"]


def _words(table: str) -> frozenset[str]:
    return frozenset(" ".join(word.split()).casefold() for word in table.split("|"))


_FIELD_WORDS: Mapping[str, str] = {
    "from": """From | Von | Absender | De | Expéditeur | Remitente | Desde | Da | Mittente | Van | Afzender | Od
        | Nadawca | Remetente | Fra | Afsender | Avsender | Från | Avsändare | Lähettäjä | Odesílatel
        | Odosielateľ | От | От кого | Від | Отправител | Изпраща | Từ | Người gửi | 发件人 | 寄件人 | 寄件者
        | 差出人 | 送信者 | 보낸 사람 | 보낸사람 | 발신 | 발신자 | Kimden | Gönderen | Feladó | De la | Expeditor
        | Από | מאת | من | Dari | Pengirim | Šalje | Pošiljatelj | Saatja | Nuo | จาก""",
    "sent": """Sent | Gesendet | Envoyé | Envoyé le | Enviado | Enviado el | Enviado em | Enviada | Enviada em
        | Enviat | Inviato | Verzonden | Wysłano | Wysłane | Sendt | Skickat | Lähetetty | Odesláno | Odoslané
        | Отправлено | Надіслано | Изпратено | Đã gửi | Ngày gửi | 发送时间 | 发送日期 | 傳送時間 | 寄件日期
        | 送信日時 | 送信日 | 보낸 날짜 | 보낸날짜 | 보낸 시간 | Gönderme Tarihi | Gönderildi | Elküldve | Küldve
        | Trimis | Στάλθηκε | נשלח | تم الإرسال | Dikirim | Poslano | Saadetud | Išsiųsta | ส่ง""",
    "date": """Date | Datum | Fecha | Data | Dato | Päiväys | Päivämäärä | Дата | Ngày | 日期 | 时间 | 日付 | 日時
        | 날짜 | 일시 | Tarih | Dátum | Ημερομηνία | תאריך | التاريخ | Tanggal | Kuupäev | วันที่""",
    "to": """To | An | Empfänger | À | A | Para | Destinataire | Aan | Do | Til | Till | Vastaanottaja | Komu
        | Кому | До | Per a | Đến | Tới | Người nhận | 收件人 | 收件者 | 宛先 | 받는 사람 | 받는사람 | 수신 | 수신자
        | Kime | Alıcı | Címzett | Către | Catre | Προς | אל | إلى | Kepada | Untuk | Prima | Za | Saaja | Adressaat
        | Kam | ถึง""",
    "subject": """Subject | Betreff | Objet | Asunto | Oggetto | Onderwerp | Temat | Assunto | Emne | Ämne | Aihe
        | Předmět | Predmet | Тема | Относно | Chủ đề | Tiêu đề | 主题 | 主旨 | 主題 | 件名 | 제목 | Konu | Tárgy
        | Subiect | Θέμα | נושא | الموضوع | Subjek | Perihal | Teema | Tema | Zadeva | Assumpte | เรื่อง""",
    "cc": """Cc | Bcc | Kopie | Kopie (CC) | Copie | Copie à | Copia | Kopia | DW | UDW | Kopi | Kopio | Kopie kam
        | Копия | Копія | 抄送 | 副本 | 密件抄送 | 参照 | 참조 | Bilgi | Másolatot kap | Κοινοποίηση | עותק | نسخة
        | Tembusan | สำเนา""",
    "other": """Reply-To | Reply To | Antwort an | Répondre à | Responder a | Responder para | Rispondi a
        | Antwoord aan | Importance | Priority | Wichtigkeit | Priorität | Importancia | Attachments | Anlagen
        | Anhänge | Pièces jointes | Archivos adjuntos | Datos adjuntos | Allegati | Bijlagen | Załączniki
        | Anexos | Organization | Organisation | Sender | Resent-From | 重要性 | 附件""",
}
FIELDS: Mapping[str, str] = {word: field for field, table in _FIELD_WORDS.items() for word in _words(table)}
"""The field that a label of a quoted message's head stands for: from, sent, date, to, subject, cc, other."""

ORIGINALS = _words("""
    Original Message | Original Appointment | Reply Message | Ursprüngliche Nachricht | Originalnachricht
    | Ursprüngliche Mail | Original-Nachricht | Ursprünglicher Termin | Message d'origine | Message original
    | Message initial | Mail original | E-mail d'origine | Courriel original | Mensaje original | Correo original
    | Missatge original | Messaggio originale | Oorspronkelijk bericht | Oorspronkelijk e-mailbericht
    | Origineel bericht | Wiadomość oryginalna | Oryginalna wiadomość | Mensagem original | Oprindelig meddelelse
    | Original meddelelse | Original besked | Oprindelig besked | Opprinnelig melding | Original melding
    | Ursprungligt meddelande | Originalmeddelande | Ursprungligt brev | Alkuperäinen viesti | Původní zpráva
    | Původní e-mail | Pôvodná správa | Исходное сообщение | Первоначальное сообщение | Оригинальное сообщение
    | Оригінальне повідомлення | Tin nhắn gốc | Thư gốc | 原始邮件 | 原始郵件 | 原邮件 | 原始信件 | 邮件原件
    | 元のメッセージ | 元のメール | 원본 메시지 | 원본 메일 | Original 메시지 | Özgün İleti | Orijinal Mesaj
    | Orijinal ileti | Eredeti üzenet | Mesaj original | Mesajul original | Αρχικό μήνυμα | הודעה מקורית
    | الرسالة الأصلية | Pesan Asli | Izvorna poruka | Izvirno sporočilo | Algne sõnum | ข้อความต้นฉบับ
""")
"""What stands between dashes above a message that is quoted."""

FORWARDS = _words("""
    Forwarded message | Begin forwarded message | Start of forwarded message | Forward message | Forwarded by
    | Weitergeleitete Nachricht | Weitergeleitete E-Mail | Anfang der weitergeleiteten Nachricht
    | Anfang der weitergeleiteten E-Mail | Message transféré | Message transmis | Message réexpédié
    | Début du message réexpédié | Début du message transféré | Mensaje reenviado | Inicio del mensaje reenviado
    | Missatge reenviat | Messaggio inoltrato | Inizio messaggio inoltrato | Inizio del messaggio inoltrato
    | Doorgestuurd bericht | Begin doorgestuurd bericht | Przekazana wiadomość | Początek przekazywanej wiadomości
    | Wiadomość przekazana dalej | Mensagem encaminhada | Mensagem reencaminhada | Início da mensagem encaminhada
    | Início da mensagem reencaminhada | Videresendt besked | Videresendt meddelelse | Videresendt melding
    | Start på videresendt besked | Begynnelse på videresendt melding | Starten på videresendt melding
    | Vidarebefordrat meddelande | Vidarebefordrat brev | Vidarebefordrat mejl
    | Början på vidarebefordrat meddelande | Vidarebefordrat mail | Välitetty viesti | Edelleenlähetetty viesti
    | Välitetty viesti alkaa | Přeposlaná zpráva | Předaná zpráva | Začátek přeposlané zprávy
    | Začátek přesměrované zprávy | Preposlaná správa | Пересылаемое сообщение | Пересланное сообщение
    | Переадресованное сообщение | Перенаправленное сообщение | Начало переадресованного сообщения
    | Начало пересылаемого сообщения | Переслане повідомлення | Tin nhắn đã chuyển tiếp | Thư đã chuyển tiếp
    | Thư được chuyển tiếp | Bắt đầu thư được chuyển tiếp | Tin nhắn chuyển tiếp | 转发的邮件 | 转发邮件
    | 转发邮件信息 | 已转发的邮件 | 下面是被转发的邮件 | 轉寄的郵件 | 轉寄郵件 | 以下是轉寄的郵件 | 開始轉寄郵件
    | 転送メッセージ | 転送されたメッセージ | 転送されたメール | 転送メール | 전달된 메시지 | 전달된 메일
    | 전달된 이메일 | Yönlendirilen ileti | İletilen mesaj | İletilmiş ileti | Yönlendirilmiş ileti
    | Továbbított üzenet | Mesaj redirecționat | Προωθημένο μήνυμα | הודעה שהועברה | رسالة معاد توجيهها
    | Pesan terusan | Proslijeđena poruka | Posredovano sporočilo | Edastatud kiri
""")
"""What stands above a message that is passed on: between dashes, or alone before a colon (Apple Mail)."""

# Written in full words only; the languages without blanks between words, and "schreef" and its like, stand apart.
_SPACED_VERBS = """wrote | writes | schrieb | schreibt | hat geschrieben | folgendes geschrieben | a écrit
    | écrivait | escribió | escribio | va escriure | missatge de | escribiu | idatzi zuen | ha scritto | scrive
    | schreef | het volgende geschreven | heeft geschreven | napisał | napisała | napisana przez | napisał(a)
    | napisał/a | pisze | escreveu | skrev | skrev følgende | følgende skrev | skrevet | kirjoitti | napsal
    | napsala | napsal(a) | napísal | napísala | napísal(a) | написал | написала | написал(а) | писал | писала
    | пишет | пише | написав | đã viết | viết | yazdı | şunları yazdı | şunu yazdı | írta | ezt írta | a scris
    | έγραψε | כתב | כתבה | كتب | نوشت | ने लिखा | menulis | je napisao | je napisala | je napisao/la | napisao je
    | napisala | napisal | je napisal | je napisal/a | kirjutas | rašė | rakstīja | skrifaði | geskryf | написа
    | је написао"""
_JOINED_VERBS = """写道 | 寫道 | 写到 | のメール | 書きました | 書いた | からのメール | 작성 | 님이 씀
    | 님이 쓴 글 | 쓴 글 | 썼습니다 | 적었습니다 | เขียนว่า | כתב/ה"""


def _either(table: str) -> str:
    return "|".join(re.escape(word) for word in sorted(_words(table), key=len, reverse=True))


VERBS = re.compile(rf"(?<!\w)(?:{_either(_SPACED_VERBS)})(?!\w)|{_either(_JOINED_VERBS)}")
"""The word for "wrote" of the line above a quote."""

OPENERS = re.compile(
    r"(?:on|am|um|le|el|il|il giorno|op|w dniu|dnia|em|no dia|den|dne|dňa|vào|pada|στις|la data|pe|în|в|в день)\s"
    r"|[在於于]|בתאריך|ב-|في"
)
"""How the line above a quote may begin; where a line ends such an attribution without, it began above."""

DATE = re.compile(
    r"\d{1,2}[:.h]\d{2}(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,4}([./-])\d{1,2}\1\d{1,4}|[0-9][年月日년월일]"
)
"""Something of a date or a time."""
