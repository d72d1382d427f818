"""A store whose file is encrypted: AES-256-GCM, the key from the caller or from the system's keyring.

The file names its key by a fingerprint, so that a wrong key is told apart from a damaged file. Every writing takes a
fresh nonce. The key is never written beside what it opens.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import pickle
import secrets
from collections.abc import Callable
from pathlib import Path

from mailkit.accounts.grant import Grant
from mailkit.accounts.grant_format import Damaged, envelope, grant_from_text, grant_to_text
from mailkit.accounts.keyring_store import read_secret, write_secret
from mailkit.accounts.stores import FileStore
from mailkit.checks import configured, refuse
from mailkit.errors import ConfigurationError, MailkitError

__all__ = ["EncryptedFileStore"]

_FORMAT, _VERSION = "mailkit-encrypted-grant", 1
_KEY_BYTES, _NONCE_BYTES = 32, 12  # AES-256; NIST SP 800-38D, 5.2.1.1


class EncryptedFileStore(FileStore):
    """Keeps the grant in an encrypted file.

    ``key`` is 32 bytes (``secrets.token_bytes(32)``), a callable that gives them, or ``"service/name"`` of an entry of
    the system's keyring, which is made at the first save; the last two pickle, the first does not.

    Raises:
        ConfigurationError: ``path`` is none, or ``key`` is of no such kind.
    """

    _kind, _format = "encrypted", _FORMAT

    def __init__(self, path: str | Path, *, key: bytes | Callable[[], bytes] | str) -> None:
        super().__init__(path)
        named = isinstance(key, str) and all(key.partition("/"))
        if not (named or isinstance(key, bytes) or callable(key)):
            with configured():
                refuse(key, "key", f'{_KEY_BYTES} bytes, a function that gives them, or the text "service/name"')
        self.key = key

    def __reduce__(self) -> tuple[object, ...]:
        if isinstance(self.key, bytes):
            raise ConfigurationError(
                f"the key of {self.path} is held in memory and is never pickled; give key= as an importable function "
                "or as the name of a keyring entry",
                file=str(self.path),
            )
        try:
            pickle.dumps(self.key)
        except Exception as error:  # whatever the callable does when it is pickled
            raise ConfigurationError(
                f"the key of {self.path} is a {type(self.key).__name__} that cannot be pickled; give key= as an "
                "importable function, or as the name of a keyring entry",
                file=str(self.path),
            ) from error
        return (_restored, (type(self), self.path, self.key))

    def _read(self, data: bytes) -> Grant:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        kept = envelope(data, format_=_FORMAT, version=_VERSION, where=str(self.path))
        key = self._key_now(make=False)
        if kept.get("key") != _fingerprint(key):
            raise ConfigurationError(
                f"{self.path} was encrypted with another key; give the right one, or remove the file and sign in again",
                file=str(self.path),
                code="wrong_key",
            )
        try:
            sealed = base64.b64decode(str(kept.get("data")), validate=True)
            text = AESGCM(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _bound(key))
        except (binascii.Error, InvalidTag, ValueError):
            raise Damaged from None
        return grant_from_text(text, where=str(self.path))

    def _write(self, grant: Grant) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        key, nonce = self._key_now(make=True), secrets.token_bytes(_NONCE_BYTES)
        sealed = nonce + AESGCM(key).encrypt(nonce, grant_to_text(grant).encode(), _bound(key))
        kept = {
            "format": _FORMAT,
            "version": _VERSION,
            "key": _fingerprint(key),
            "data": base64.b64encode(sealed).decode(),
        }
        return json.dumps(kept, indent=1).encode()

    def _key_now(self, *, make: bool) -> bytes:
        key = _keyring_key(self.key, make=make) if isinstance(self.key, str) else self.key
        if callable(key):
            try:
                key = key()
            except MailkitError:
                raise
            except Exception as error:  # the caller's own, whatever it raises
                raise ConfigurationError(
                    f"the key of {self.path} could not be had: its function raised {type(error).__name__}; mend that",
                    file=str(self.path),
                    code="bad_key",
                ) from error
        if not isinstance(key, bytes) or len(key) != _KEY_BYTES:
            raise ConfigurationError(
                f"the key of {self.path} must be {_KEY_BYTES} bytes; make one with secrets.token_bytes({_KEY_BYTES})",
                file=str(self.path),
                code="bad_key",
            )
        return key


def _restored(kind: type[EncryptedFileStore], path: Path, key: bytes | Callable[[], bytes] | str) -> EncryptedFileStore:
    return kind(path, key=key)


def _keyring_key(entry: str, *, make: bool) -> bytes | None:
    service, _, name = entry.partition("/")
    text = read_secret(service, name)
    if text is None and make:
        text = base64.b64encode(secrets.token_bytes(_KEY_BYTES)).decode()
        write_secret(service, name, text)
    if text is None:
        raise ConfigurationError(
            f"the keyring has no entry {entry!r} that opens this account's store; bring it back, or remove the file "
            "and sign in again",
            code="no_key",
        )
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return None


def _fingerprint(key: bytes) -> str:
    return hashlib.blake2b(key, digest_size=8, person=b"mailkit key").hexdigest()


def _bound(key: bytes) -> bytes:
    """What is authenticated beside the contents: of what format the file says it is, and by which key."""
    return f"{_FORMAT} {_VERSION} {_fingerprint(key)}".encode()
