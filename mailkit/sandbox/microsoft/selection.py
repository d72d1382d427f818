"""Reads ``$select`` and ``$expand`` against the known properties, and cuts items down to what was asked for.

One unknown name fails the whole request, as at Graph. Knows the entities, no mailbox.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

import attrs

from mailkit.sandbox.microsoft.refusals import bad_select
from mailkit.sandbox.microsoft.schema import Entity

__all__ = ["Selection", "parse_expand", "parse_select"]

_ITEM = re.compile(r"\s*([A-Za-z.]+(?:/[A-Za-z]+)?)\s*(?:\((.*)\))?\s*", re.DOTALL)


@attrs.frozen(kw_only=True)
class Selection:
    """The members of one entity an answer shows. ``selected`` None: those an answer has by default."""

    entity: Entity
    selected: frozenset[str] | None = None

    def shows(self, name: str, kind: str = "") -> bool:
        """Whether the member ``name`` is shown, ``kind`` being the derived type it belongs to."""
        if self.selected is None:
            return name not in self.entity.on_request
        return (f"{kind}/{name}" if kind else name) in self.selected

    def cut(self, item: Mapping[str, object]) -> dict[str, object]:
        """Give what is shown of ``item``; its annotations and its ``id`` always are, as user-list-messages shows."""
        kind = str(item.get("@odata.type", "")).removeprefix("#")
        derived = self.entity.derived.get(kind, frozenset())
        return {
            name: value
            for name, value in item.items()
            if name.startswith("@") or name == "id" or self.shows(name, kind if name in derived else "")
        }


def parse_select(text: str | None, entity: Entity) -> Selection:
    """Read ``$select``; None where the request has none.

    Raises:
        Refusal: a name is not of the entity, or stands twice.
    """
    if text is None:
        return Selection(entity=entity)
    names = [name.strip() for name in text.split(",")]
    for name in names:
        kind, _, member = name.rpartition("/")
        if name not in entity.properties and member not in entity.derived.get(kind, ()):
            raise bad_select(f"Could not find a property named '{name}' on type '{entity.name}'.")
    if len(set(names)) != len(names):
        raise bad_select(f"Found multiple select terms with same select path in '{text}'.")
    return Selection(entity=entity, selected=frozenset(names))


def parse_expand(text: str | None, entity: Entity, options: Collection[str]) -> dict[str, dict[str, str]]:
    """Read ``$expand`` into navigation names and their ``options``; empty where the request has none.

    Raises:
        Refusal: a name or an option is not known.
    """
    found = {}
    for item in _split(text, ",") if text is not None else ():
        match = _ITEM.fullmatch(item)
        if match is None:
            raise bad_select(f"Syntax error in '{text}'.")
        name = match.group(1)
        if name not in entity.navigation:
            raise bad_select(f"Could not find a property named '{name}' on type '{entity.name}'.")
        pairs = [pair.strip().partition("=") for pair in _split(match.group(2), ";")] if match.group(2) else []
        unknown = [option for option, _, _ in pairs if option not in options]
        if unknown or match.group(2) == "":
            raise bad_select(f"The expand option '{''.join(unknown[:1])}' is not supported.")
        found[name] = {option: value for option, _, value in pairs}
    return found


def _split(text: str, mark: str) -> Iterator[str]:
    """Split at ``mark`` where it stands outside parentheses and quotes."""
    depth, quoted, start = 0, False, 0
    for at, char in enumerate(text):
        quoted ^= char == "'"
        depth += 0 if quoted else (char == "(") - (char == ")")
        if char == mark and depth == 0 and not quoted:
            yield text[start:at]
            start = at + 1
    if depth or quoted:
        raise bad_select(f"Found an unbalanced bracket expression in '{text}'.")
    yield text[start:]
