"""Gmail and Outlook offline: mailboxes a test fills, behind an httpx transport and a clock nobody waits for.

The sandbox is the other side of the wire and a judge: it shares no logic with the code it answers.
"""

from mailkit.sandbox.clock import VirtualClock
from mailkit.sandbox.delivery import SentMail
from mailkit.sandbox.event import Changed, Event, Guest
from mailkit.sandbox.faults import Fault
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.invitations import Notice
from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.mail import File, Mail, Person
from mailkit.sandbox.mailbox import Mailbox
from mailkit.sandbox.microsoft.calendars import Room
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.searching import SearchBehaviour
from mailkit.sandbox.sandbox import LoggedRequest, Sandbox

__all__ = [
    "Calendar",
    "Changed",
    "Event",
    "Fault",
    "File",
    "GoogleMailbox",
    "Guest",
    "KeptEvent",
    "LoggedRequest",
    "Mail",
    "Mailbox",
    "MicrosoftMailbox",
    "Notice",
    "Person",
    "Room",
    "Sandbox",
    "SearchBehaviour",
    "SentMail",
    "VirtualClock",
]
