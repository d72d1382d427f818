"""Plain frozen records for everything mailkit gives back. No record does I/O, knows a client or reads a clock."""

from __future__ import annotations

from mailkit.models.body import Body
from mailkit.models.calendar import (
    Attendee,
    Busy,
    Calendar,
    Event,
    EventChange,
    FreeBusy,
    FreeSlot,
    OnlineMeeting,
    Reminder,
    Room,
    ShowAs,
    Visibility,
)
from mailkit.models.drafts import Draft
from mailkit.models.mail import (
    Attachment,
    AttachmentKind,
    FolderRole,
    Label,
    LabelKind,
    Message,
    MessageSummary,
    Thread,
)
from mailkit.models.mailing_list import ListUnsubscribe, MailTo
from mailkit.models.notes import Failure, Note
from mailkit.models.organised import Organised
from mailkit.models.organising import MessageLike, Outcomes, RenamedLabel
from mailkit.models.outcomes import Outcome
from mailkit.models.parsed import ParsedAttachment, ParsedMessage, parse_message
from mailkit.models.records import Record
from mailkit.models.results import Results
from mailkit.models.sending import Evidence, SendResult, SendState

__all__ = [
    "Attachment",
    "AttachmentKind",
    "Attendee",
    "Body",
    "Busy",
    "Calendar",
    "Draft",
    "Event",
    "EventChange",
    "Evidence",
    "Failure",
    "FolderRole",
    "FreeBusy",
    "FreeSlot",
    "Label",
    "LabelKind",
    "ListUnsubscribe",
    "MailTo",
    "Message",
    "MessageLike",
    "MessageSummary",
    "Note",
    "OnlineMeeting",
    "Organised",
    "Outcome",
    "Outcomes",
    "ParsedAttachment",
    "ParsedMessage",
    "Record",
    "Reminder",
    "RenamedLabel",
    "Results",
    "Room",
    "SendResult",
    "SendState",
    "ShowAs",
    "Thread",
    "Visibility",
    "parse_message",
]
