"""Read a query in Gmail's search syntax into its tree.

::

    query = [ and ]                          blank: everything in the default scope
    and   = or { [ "AND" ] or }              AND is implied
    or    = near { "OR" near }               OR binds tighter than AND, implied or written
    near  = unary [ "AROUND" n unary ]       n or (n)
    unary = { "-" | "NOT" } atom
    atom  = "(" and ")" | "{" item { [ "OR" ] item } "}" | operator ":" (group | value) | text
    item  = near { "AND" near }              items of a brace group are alternatives
    text  = [ "+" ] ( word | quoted )

The operators are those of support.google.com/mail/answer/7190. Whether OR or AND binds tighter, Google does not say;
the text sent to Gmail has parentheses that mean the same under either reading. Gmail answers anything and never
complains; here a query that cannot be read is refused, since a misread query returns the wrong mail.
"""

from __future__ import annotations

from typing import NoReturn

from mailkit.query.ast import MAX_DEPTH, All, Around, Expr, Text, and_, depth, not_, or_
from mailkit.query.lexer import Token, refuse, tokens
from mailkit.query.operators import Refusal, term
from mailkit.query.spelling import NEAR, printable
from mailkit.query.words import has_words

__all__ = ["parse"]

_CLOSING = {"(": ")", "{": "}"}


def parse(text: str) -> Expr:
    """Read ``text`` into its canonical tree. Control characters and lone surrogates read as blanks.

    Raises:
        InvalidQuery: it cannot be read. ``code`` is one of ``missing_value``, ``unbalanced_group``,
            ``unbalanced_quote``, ``empty_group``, ``dangling_or``, ``dangling_and``, ``dangling_operator``,
            ``bad_date``, ``bad_age``, ``bad_size``, ``bad_has``, ``bad_category``, ``bad_around``, ``no_words`` (not
            blank, and yet nothing to look for), ``too_deep`` (more than 50 groups or changes between and, or, not
            inside one another).
    """
    return _Parser(text).query()


class _Parser:
    """One reading of one text. ``inside`` is the operator whose group the bare words stand in."""

    def __init__(self, text: str) -> None:
        self.given = text
        self.text = printable(text)
        self.tokens = tokens(self.text)
        self.at = 0
        self.depth = 0
        self.deepest = (0, 0)  # groups, position

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def query(self) -> Expr:
        if not self.given.strip():
            return All()
        if len(self.tokens) == 1:
            refuse(
                self.text,
                len(self.given) - len(self.given.lstrip()),
                "no_words",
                "there is no letter or digit to look for; leave the query empty to find everything",
            )
        expr = self._and(None)
        if self.token.kind != "end":
            self._operand_missing()
        if depth(expr) > MAX_DEPTH:
            self._too_deep(self.deepest[1])
        return expr

    def _and(self, inside: str | None) -> Expr:
        args = [self._or(inside)]
        while True:
            if self._keyword("AND"):
                self.at += 1
            elif self.token.kind in ("close", "end"):
                return and_(args)
            args.append(self._or(inside))

    def _or(self, inside: str | None) -> Expr:
        args = [self._near(inside)]
        while self._keyword("OR"):
            self.at += 1
            args.append(self._near(inside))
        return or_(args)

    def _item(self, inside: str | None) -> Expr:
        args = [self._near(inside)]
        while self._keyword("AND"):
            self.at += 1
            args.append(self._near(inside))
        return and_(args)

    def _near(self, inside: str | None) -> Expr:
        start = self.at
        left = self._unary(inside)
        if not self._keyword("AROUND"):
            return left
        around, single = self.token, self.at == start + 1
        self.at += 1
        distance = self._distance(around)
        right = self.token
        if right.kind in ("close", "end", "keyword"):
            self._refuse(around, "dangling_operator", "write a word after AROUND and its number")
        self.at += 1
        if not single or not self._is_side(self.tokens[start]) or not self._is_side(right) or self._keyword("AROUND"):
            self._bad_around(around)
        return self._around(around, inside, self.tokens[start].text, right.text, distance, ordered=False)

    def _is_side(self, token: Token) -> bool:
        return token.kind == "word" and not token.exact and not (token.quoted and NEAR.search(token.text))

    def _distance(self, around: Token) -> int:
        """Read ``n`` or ``(n)``."""
        brackets = self.token.kind == "open" and self.token.text == "("
        self.at += brackets
        number = self.token
        if number.kind != "word" or number.quoted or number.exact:
            self._bad_around(around)
        self.at += 1
        if brackets:
            if self.token.kind != "close" or self.token.text != ")":
                self._bad_around(around)
            self.at += 1
        return self._words_apart(around, number.text)

    def _words_apart(self, at: Token, digits: str) -> int:
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6):
            self._bad_around(at)
        return int(digits)

    def _around(self, at: Token, inside: str | None, left: str, right: str, distance: int, *, ordered: bool) -> Expr:
        if inside not in (None, "subject"):
            self._bad_around(at)
        return Around(left, right, distance, ordered, "subject" if inside else None)

    def _unary(self, inside: str | None) -> Expr:
        negations = 0
        while self.token.kind == "minus" or self._keyword("NOT"):
            negations += 1
            self.at += 1
        expr = self._atom(inside)
        return not_(expr) if negations % 2 else expr

    def _atom(self, inside: str | None) -> Expr:
        token = self.token
        if token.kind == "open":
            return self._group(inside)
        if token.kind not in ("operator", "word"):
            self._operand_missing()
        self.at += 1
        if token.kind == "word":
            return self._bare(inside, token)
        if self.tokens[self.at].kind == "open":
            return self._group(token.text)
        self.at += 1
        return self._term(token.text, self.tokens[self.at - 1], token)

    def _group(self, inside: str | None) -> Expr:
        opening = self.token
        self.at += 1
        self.depth += 1
        self.deepest = max(self.deepest, (self.depth, opening.position))
        if self.depth > MAX_DEPTH:
            self._too_deep(opening.position)
        if self.token.kind == "close" and self.token.text == _CLOSING[opening.text]:
            self._refuse(opening, "empty_group", "put something between these brackets, or leave them out")
        if self.token.kind not in ("close", "end"):
            expr = self._and(inside) if opening.text == "(" else self._alternatives(inside)
        if self.token.kind == "end":
            self._refuse(opening, "unbalanced_group", "close this bracket, or leave it out")
        if self.token.text != _CLOSING[opening.text]:
            self._refuse(self.token, "unbalanced_group", "this bracket closes one of the other kind")
        self.at += 1
        self.depth -= 1
        return expr

    def _alternatives(self, inside: str | None) -> Expr:
        args = [self._item(inside)]
        while self.token.kind not in ("close", "end"):
            if self._keyword("OR"):
                self.at += 1
            args.append(self._item(inside))
        return or_(args)

    def _bare(self, inside: str | None, token: Token) -> Expr:
        """Make the node of a word or phrase: text, or the value of the operator whose group it stands in."""
        if token.quoted and inside in (None, "subject") and NEAR.search(token.text):
            return self._ordered(inside, token)
        if inside is not None:
            return self._term(inside, token, token)
        return Text(token.text, phrase=token.quoted, exact=token.exact)

    def _term(self, operator: str, value: Token, at: Token) -> Expr:
        if value.quoted and operator == "subject" and NEAR.search(value.text):
            return self._ordered(operator, value)
        node = term(operator, value.text, quoted=value.quoted)
        if isinstance(node, Refusal):
            self._refuse(at if node.code == "missing_value" else value, node.code, node.message)
        return node

    def _ordered(self, inside: str | None, token: Token) -> Expr:
        """Read ``"a AROUND n b"``: the same, a first."""
        near, *more = NEAR.finditer(token.text)
        left, right = token.text[: near.start()].strip(), token.text[near.end() :].strip()
        if more or token.exact or not has_words(left) or not has_words(right):
            self._bad_around(token)
        distance = self._words_apart(token, near[1] or near[2])
        return self._around(token, inside, left, right, distance, ordered=True)

    def _keyword(self, word: str) -> bool:
        return self.token.kind == "keyword" and self.token.text == word

    def _operand_missing(self) -> NoReturn:
        """Blame the joining word before the gap, the one that starts a group, or a bracket that was never opened."""
        before = self.tokens[self.at - 1] if self.at else self.token
        culprit = before if before.kind in ("keyword", "minus") else self.token
        if culprit.kind == "close":
            self._refuse(culprit, "unbalanced_group", "this bracket closes nothing; open it, or leave it out")
        code = {"OR": "dangling_or", "AND": "dangling_and"}.get(culprit.text, "dangling_operator")
        sides = "both sides" if culprit.text in ("OR", "AND", "AROUND") else "the right"
        self._refuse(
            culprit, code, f"an operator needs something to find on {sides}; in lower case or quotes it is a word"
        )

    def _bad_around(self, token: Token) -> NoReturn:
        self._refuse(
            token,
            "bad_around",
            "write AROUND as: word AROUND 5 word, with words or phrases beside it, alone or inside subject:( )",
        )

    def _too_deep(self, position: int) -> NoReturn:
        refuse(self.text, position, "too_deep", f"put at most {MAX_DEPTH} groups inside one another")

    def _refuse(self, token: Token, code: str, message: str) -> NoReturn:
        refuse(self.text, token.position, code, message)
