"""The shared key of a folder: who has it is one of us. It comes from chance, or from a passphrase."""

from __future__ import annotations

import base64
import binascii
import hmac
from hashlib import scrypt, sha256
from typing import NamedTuple

from treering.ledger.errors import InvalidInput, MissingExtra

SECRET_BYTES = 32
SALT_BYTES = 16
NONCE_BYTES = 12  # of ChaCha20-Poly1305
_GROUP = 4  # letters of a pairing code that stand together, for who types it
# What scrypt costs: 64 MiB and a fifth of a second, once for each run. A guess costs an attacker the same.
_COST, _BLOCK, _PARALLEL, _MEMORY = 2**16, 8, 1, 2**27
SHORTEST = 8  # characters of a passphrase


class Key(NamedTuple):
    """What the machines of one person share: a secret, and whether the folder is encrypted with it."""

    secret: bytes
    sealed: bool = False

    def proof(self, *parts: bytes) -> bytes:
        """Return what only somebody with the key can make of these parts."""
        made = hmac.new(self._derived(b"proof"), digestmod=sha256)
        for part in parts:
            made.update(len(part).to_bytes(8) + part)
        return made.digest()

    def seal(self, data: bytes, nonce: bytes, about: bytes) -> bytes:
        """Encrypt data, bound to what it is `about`; leave it as it is if the folder is not encrypted."""
        return _cipher(self._derived(b"seal")).encrypt(nonce, data, about) if self.sealed else data

    def unseal(self, data: bytes, nonce: bytes, about: bytes) -> bytes:
        """Decrypt what `seal` made. The proof has been checked before."""
        return _cipher(self._derived(b"seal")).decrypt(nonce, data, about) if self.sealed else data

    def _derived(self, purpose: bytes) -> bytes:
        return hmac.digest(self.secret, b"treering sync " + purpose, "sha256")

    @property
    def code(self) -> str:
        """The key as a person types it on another machine."""
        letters = base64.b32encode(self.secret).decode().rstrip("=")
        return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def from_code(code: str, sealed: bool = False) -> Key:
    """Return the key that a pairing code stands for."""
    letters = "".join(code.split()).replace("-", "").upper()
    try:
        secret = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise InvalidInput(
            "this is no key of a sync: copy it whole from `treering sync list --key` on the other machine"
        )
    return Key(secret, sealed)


def check_given(code: str, passphrase: str) -> None:
    """Refuse what can be no key of any folder."""
    if code:
        from_code(code)
    if passphrase and len(passphrase) < SHORTEST:
        raise InvalidInput(f"a passphrase has at least {SHORTEST} characters: choose a longer one")


def from_passphrase(passphrase: str, salt: bytes) -> Key:
    """Return the key that a passphrase makes, for a folder that is encrypted."""
    secret = scrypt(passphrase.encode(), salt=salt, n=_COST, r=_BLOCK, p=_PARALLEL, maxmem=_MEMORY, dklen=SECRET_BYTES)
    return Key(secret, sealed=True)


def _cipher(key: bytes):  # type: ignore[no-untyped-def]  # of an optional library
    try:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    except ImportError:
        raise MissingExtra("cryptography", "encryption") from None
    return ChaCha20Poly1305(key)
