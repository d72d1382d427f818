"""Google's published numbers: what a request costs, how much a page and a batch hold.

Data only. The numbers move (those of May 2026 hold for projects made since then), so the quota is a parameter of
``GoogleDialect``.
"""

from __future__ import annotations

from mailkit.transport.dialect import Quota

# https://developers.google.com/workspace/gmail/api/reference/quota: per user and project. Older projects have 15,000
# units, and reads there cost a quarter of what they cost here: as much as 60,000 of these units.
QUOTA = Quota(units=6_000, seconds=60)

# https://developers.google.com/workspace/calendar/api/guides/quota: requests per user and project.
CALENDAR_QUOTA = Quota(units=600, seconds=60)

# The same page, "Per-method quota usage", in quota units.
PROFILE_UNITS = 1
LABELS_LIST_UNITS = 1
MESSAGES_LIST_UNITS = 5
MESSAGES_GET_UNITS = 20
ATTACHMENTS_GET_UNITS = 20
THREADS_GET_UNITS = 40
MESSAGES_SEND_UNITS = 100
DRAFTS_LIST_UNITS = 5
DRAFTS_GET_UNITS = 20
DRAFTS_CREATE_UNITS = 10
DRAFTS_UPDATE_UNITS = 15
DRAFTS_DELETE_UNITS = 10
DRAFTS_SEND_UNITS = 100
MESSAGES_MODIFY_UNITS = 5
MESSAGES_BATCH_MODIFY_UNITS = 50
LABELS_WRITE_UNITS = 5

# https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/list, maxResults
PAGE_MOST = 500

# https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/batchModify, ids
BATCH_MODIFY_MOST = 1000

# https://developers.google.com/workspace/gmail/api/guides/batch allows 100 and advises against more than 50. Parts of
# one batch are worked on one after another, so 100 messages come sooner as five batches of 20 at once.
BATCH_SIZE = 20
BATCH_MOST = 50
BATCHES_AT_ONCE = 10

# https://developers.google.com/workspace/gmail/api/guides/handle-errors: too many at once for one user is a 429; no
# number is published. A page of messages, and the list of the next beside it.
REQUESTS_AT_ONCE = BATCHES_AT_ONCE + 1

# The discovery document of gmail v1: mediaUpload.maxSize of users.messages.send and users.drafts.*, in bytes.
MESSAGE_MOST = 36_700_160

# https://developers.google.com/workspace/gmail/api/guides/uploads: a simple request is for what can be sent again when
# the connection breaks, 5 MB or less; above, in pieces. Each piece is a multiple of 256 KiB.
JSON_MOST = 5_000_000
UPLOAD_PIECE = 8 * 256 * 1024
