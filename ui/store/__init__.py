"""Where workspaces and edited scenarios live. SQLite by default, any SQLAlchemy URL in CTXCORE_DATABASE_URL."""

from ui.store.errors import ConflictError, DamagedError, StoreError
from ui.store.fallback import KeptStore
from ui.store.shares import Share
from ui.store.shelf import Thing
from ui.store.store import Saved, Store, default_url

__all__ = [
    "ConflictError",
    "DamagedError",
    "KeptStore",
    "Saved",
    "Share",
    "Store",
    "StoreError",
    "Thing",
    "default_url",
]
