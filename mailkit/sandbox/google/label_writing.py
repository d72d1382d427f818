"""Labels made, dressed, renamed and deleted.

Source: developers.google.com/workspace/gmail/api/reference/rest/v1/users.labels.
"""

from __future__ import annotations

from mailkit.sandbox.google.call import Answers, Call, inner
from mailkit.sandbox.google.labels import SYSTEM, Json, UserLabel, user_resource
from mailkit.sandbox.google.refusals import Refusal

__all__ = ["ANSWERS"]

# Names that stand for places and states of Gmail's own, in any case; what the settings page refuses, too.
_RESERVED = frozenset(
    (
        *(name.casefold() for name in SYSTEM),
        *("drafts", "all mail", "bin", "chats", "muted", "scheduled", "snoozed"),
    )
)
_MOST_LABELS = 10_000
_LIST_VISIBILITIES = ("labelShow", "labelShowIfUnread", "labelHide")
_MESSAGE_VISIBILITIES = ("show", "hide")
# The palette of LabelColor; anything else is refused.
_PALETTE = """
    000000 434343 666666 999999 cccccc efefef f3f3f3 ffffff fb4c2f ffad47 fad165 16a766 43d692 4a86e8 a479e2 f691b3
    f6c5be ffe6c7 fef1d1 b9e4d0 c6f3de c9daf8 e4d7f5 fcdee8 efa093 ffd6a2 fce8b3 89d3b2 a0eac9 a4c2f4 d0bcf1 fbc8d9
    e66550 ffbc6b fcda83 44b984 68dfa9 6d9eeb b694e8 f7a7c0 cc3a21 eaa041 f2c960 149e60 3dc789 3c78d8 8e63ce e07798
    ac2b16 cf8933 d5ae49 0b804b 2a9c68 285bac 653e9b b65775 822111 a46a21 aa8831 076239 1a764d 1c4587 41236d 83334c
    464646 e7e7e7 0d3472 b6cff5 0d3b44 98d7e4 3d188e e3d7ff 711a36 fbd3e0 8a1c0a f2b2a8 7a2e0b ffc8af 7a4706 ffdeb5
    594c05 fbe983 684e07 fdedc1 0b4f30 b3efd3 04502e a2dcc1 c2c2c2 4986e7 2da2bb b99aff 994a64 f691b2 ff7537 ffad46
    662e37 ebdbde cca6ac 094228 42d692 16a765 757575 1e53b8 007286 7858c3 c2185b d93025 54240e 633e04 521d28 202124
    083018
"""
_COLOURS = frozenset(_PALETTE.split())


def _create(call: Call) -> Json:
    if len(call.box.labels) >= _MOST_LABELS:
        raise Refusal(400, message="Too many labels")
    return _written(call, _name(call, None), None, UserLabel(id="", name=""))


def _update(call: Call) -> Json:
    label = _label(call)
    return _written(call, _name(call, label), label, UserLabel(id="", name=""))


def _patch(call: Call) -> Json:
    label = _label(call)
    return _written(call, _name(call, label) if "name" in call.body else label.name, label, label)


def _written(call: Call, name: str, label: UserLabel | None, before: UserLabel) -> Json:
    """Make a label, or change ``label``; what the call does not say is as ``before``."""
    list_visibility = _choice(call, "labelListVisibility", _LIST_VISIBILITIES, before.list_visibility)
    message_visibility = _choice(call, "messageListVisibility", _MESSAGE_VISIBILITIES, before.message_visibility)
    colour = _colour(call) if "color" in call.body else before.colour
    if label is not None and name != label.name:
        call.box.rename_label(label.name, name)
    call.box.label(name, colour=colour, list_visibility=list_visibility, message_visibility=message_visibility)
    return user_resource(call.box.labels[name])


def _delete(call: Call) -> None:
    call.box.remove_label(_label(call).name)


def _label(call: Call) -> UserLabel:
    if call.path["id"] in SYSTEM:
        raise Refusal(400, message="System labels cannot be changed")
    label = next((label for label in call.box.labels.values() if label.id == call.path["id"]), None)
    if label is None:
        raise Refusal(404)
    return label


def _name(call: Call, label: UserLabel | None) -> str:
    name = call.body.get("name")
    if not isinstance(name, str) or name.casefold() in _RESERVED or not all(map(str.strip, name.split("/"))):
        raise Refusal(400, message="Invalid label name")
    others = (other.name.casefold() for other in call.box.labels.values() if other is not label)
    if name.casefold() in others:
        raise Refusal(409, message="Label name exists or conflicts")
    return name


def _choice(call: Call, field: str, choices: tuple[str, ...], before: str) -> str:
    value = call.body.get(field, before)
    if value not in choices:
        raise Refusal(400, "badRequest", f"Invalid value at 'label.{field}'")
    return str(value)


def _colour(call: Call) -> tuple[str, str]:
    colour = inner(call.body, "color")
    text, background = (str(colour.get(name)) for name in ("textColor", "backgroundColor"))
    for one in (text, background):
        if one.removeprefix("#") not in _COLOURS or not one.startswith("#"):
            raise Refusal(400, message=f"Label color {one} is not on the allowed color palette")
    return text, background


ANSWERS: Answers = {
    "labels.create": _create,
    "labels.update": _update,
    "labels.patch": _patch,
    "labels.delete": _delete,
}
