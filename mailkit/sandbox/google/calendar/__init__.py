"""Google Calendar's REST interface over sandbox calendars."""
