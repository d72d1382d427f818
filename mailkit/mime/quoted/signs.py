"""The words by which a signature is known: the taglines of mail programs, disclaimers, the ways to reach somebody.

Patterns only, for one line at a time (a disclaimer: for a paragraph), all for text in lower case. What a person types
before the name ("Best regards") is no signature here: the sender wrote it.
"""

# ruff: noqa: RUF001 - the languages of mail are written in other alphabets, too
from __future__ import annotations

import re

__all__ = ["CONTACT", "DISCLAIMER", "DISCLAIMER_TERM", "LIST_FOOTER", "TAGLINE"]

_DEVICE = r"(?:ios|android|mac|windows|iphone|ipad)"
_REST = r"[^?!;:]{2,70}(?:https?:\S{1,200})?[^?!;:]{0,5}"
_GET = (
    "get|download|holen sie sich|laden sie|télécharger|téléchargez|obtener|obtenez|obtén|obtenga|obter|obtenha|scarica"
    "|ottieni|pobierz|hämta|hent|skaff|hanki|získat|stáhnout|скачать|скачайте|получить|tải|下载|获取|取得"
)
TAGLINE = re.compile(
    r"[<(\[]?(?:"
    + "|".join(
        (
            r"sent from my .{2,100}",
            rf"sent (?:from|via|using|with) (?!love|regards){_REST}",
            r"(?:von|aus|mit) mein\w{1,2} .{2,50} (?:gesendet|verschickt)",
            rf"(?:gesendet|verschickt) (?:von|mit|aus|über) {_REST}",
            r"diese nachricht wurde .{2,80} gesendet",
            rf"envoyé (?:de|d'|depuis|à partir d|avec|via|par) ?{_REST}",
            rf"enviad[oa] (?:desde|con|do|da|de|dal|a partir d\w|pelo|pela|via|por|através) {_REST}",
            rf"enviat (?:des|amb) {_REST}",
            rf"inviato (?:da|dal|dalla|con|tramite) {_REST}",
            rf"(?:verzonden|verstuurd) (?:vanaf|vanuit|met|via|van) {_REST}",
            rf"wysłan[aeoy] (?:z|ze|przez|za pomocą) {_REST}",
            rf"sendt (?:fra|med|via) {_REST}",
            rf"skickat (?:från|med|via) {_REST}",
            r"lähetetty .{2,60}",
            rf"(?:odesláno|odoslané|odoslaný) (?:z|zo|ze|pomocí|s|cez) {_REST}",
            rf"отправлено (?:с|со|из|через|от) {_REST}",
            rf"надіслано (?:з|із|через) {_REST}",
            rf"(?:đã |được )?gửi từ {_REST}",
            r"(?:发自|發自|发送自|傳送自|寄自|来自)我的.{2,40}|(?:发自|發自|发送自|傳送自) ?.{2,40}",
            r"[从從]我的.{2,30}(?:发送|傳送|發送|寄出)",
            r".{2,40}から送信(?:されました)?",
            r".{2,40}에서 보냄|.{2,40}에서 보낸 메일",
            r".{2,40}[dt][ae]n gönderildi",
            r".{2,40}(?:ról|ről|ből|ból) küldve",
            rf"trimis (?:de pe|din|cu) {_REST}",
            rf"στάλθηκε από {_REST}",
            r"נשלח מה.{2,40}",
            rf"(?:تم الإرسال|أرسلت) من {_REST}",
            rf"dikirim dari {_REST}",
            rf"poslano (?:s|z|sa) {_REST}",
            rf"(?:{_GET}) ?(?:\w{{1,12}} )?outlook .{{0,12}}{_DEVICE}.{{0,210}}",
            rf"outlook (?:für|voor|for) {_DEVICE} (?:beziehen|herunterladen|downloaden|ophalen|を入手).{{0,210}}",
            r"via mobile",
        )
    )
    + r")[>)\].。]?"
)
"""The whole line that a mail program puts under what is sent from it."""

DISCLAIMER = re.compile(
    r"[*_\s(]*(?:confidential|disclaimer|legal notice|privileged|notice:|important notice"
    r"|th(?:is|e) (?:information|e-?mail|message|mail|communication|transmission|content)|if you are not the intended"
    r"|dies(?:e|er) (?:e-?mail|nachricht|mitteilung)|vertraulich|der inhalt dieser|die(?:se)? in dieser"
    r"|ce(?:tte?)? (?:message|courriel|courrier|mail|e-?mail|communication)|avis de confidentialité|les informations"
    r"|est[ea] (?:mensaje|correo|mensagem|e-?mail|comunicación|comunicação)|aviso (?:legal|de confidencialidad)"
    r"|la información|as informações|quest[oa] (?:messaggio|e-?mail|comunicazione)|le informazioni|ai sensi"
    r"|di(?:t|ze) (?:bericht|e-?mail)|deze e-?mail|de informatie|niniejsz|ta wiadomość|treść (?:tej|niniejszej)"
    r"|informacje zawarte|denne (?:e-?mail|e-?post|mail|besked|meddelelse|melding)|det(?:ta|te) (?:e-?post|meddelande)"
    r"|tämä (?:viesti|sähköposti)|t(?:ato|ento) (?:zpráva|e-?mail|správa)|(?:это|данное|настоящее) (?:сообщение|письмо)"
    r"|thư (?:điện tử )?này|email này|本(?:邮件|郵件|メール|电子邮件)|此(?:邮件|郵件|电子邮件)|このメール"
    r"|본 (?:메일|이메일|메시지))"
)
"""How the paragraph begins in which a firm tells strangers not to read on."""

DISCLAIMER_TERM = re.compile(
    r"confidential|privileged|intended|recipient|addressee|disclos|unauthori[sz]ed|prohibited|notify|delete|vertraulich"
    r"|empfänger|bestimmt|unbefugt|vernichte|lösche|confidentiel|destinataire|confidencial|destinatári|destinatari"
    r"|riservat|vertrouwelijk|geadresseerde|bestemd|poufn|adresat|fortrolig|modtager|mottaker|konfidentiell|mottagar"
    r"|luottamuksel|vastaanottaja|důvěrn|příjemc|dôvern|конфиденциальн|адресат|получател|удалит|bảo mật|người nhận"
    r"|机密|保密|機密|收件人|収件|秘密|受信者|削除|기밀|수신"
)
"""What such a paragraph speaks of; two of them make it one."""

LIST_FOOTER = re.compile(
    r"mailing ?list|mailing-list|mailingliste|liste de diffusion|lista de correo|listinfo|unsubscribe|list-manager"
)
"""What a mailing list puts under every message, below a rule."""

CONTACT = re.compile(
    r"(?:\W{0,3}(?:t|f|m|p|w|e|tel|telefon|phone|fax|mobil|mobile|cell|handy|skype|web|www|e-?mail|mail|тел|電話|电话)"
    r"\W{1,4})?(?:(?=(?:\D{0,9}\d){6})(?!\d{1,4}([./-])\d{1,2}\1\d{1,4}$)\+?\(?\d[\d\s()./-]{5,24}(?:\s?(?:x|ext)\W{0,2}\d{1,6})?|(?:https?://|www\.)\S{3,200}"
    r"|[^\s@]{1,64}@[^\s@]{3,255}|skype:\s?\S{2,60})"
)
"""A line that is nothing but a way to reach somebody: a telephone number (no date, no version), an address, a link."""
