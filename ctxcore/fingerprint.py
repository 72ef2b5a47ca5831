"""What a service is called in a cache key: its class, its version and its options."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar


class Fingerprinted:
    """For frozen dataclasses. The attribute lives here, as a protocol's attribute may not be a frozen field."""

    version: ClassVar[int] = 1  # raised when the same input gives another output
    fingerprint: str

    def __post_init__(self) -> None:
        itself: Any = self
        options = ",".join(f"{option.name}={getattr(self, option.name)!r}" for option in fields(itself))
        object.__setattr__(self, "fingerprint", f"{type(self).__name__}@{self.version}({options})")
