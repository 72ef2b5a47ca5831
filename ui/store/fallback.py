"""A store that goes on without its database: what cannot be written is kept in memory and written later."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from ui.store import pieces
from ui.store.errors import ConflictError, DamagedError, StoreError
from ui.store.shares import Share
from ui.store.shelf import Thing
from ui.store.store import Saved, Store

T = TypeVar("T")
PAUSE = 10.0  # seconds without a try after a failure: a locked database makes every try wait


class KeptStore:
    """Same calls as Store. `trouble` is why the database is not used at the moment, or None."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.trouble: StoreError | None = None
        self._url, self._clock = url, clock
        self._store: Store | None = None
        self._again = 0.0  # when to try next
        self._workspaces: dict[str, Saved] = {}
        self._scenarios: dict[tuple[str, str], Mapping[str, Any]] = {}
        self._texts: dict[tuple[str, str], str] = {}
        self._things: dict[tuple[str, str, str], Thing] = {}
        self._try(lambda store: None)

    def load(self, workspace: str) -> Saved | None:
        return self._workspaces.get(workspace) or self._try(lambda store: store.load(workspace))

    def latest(self, owner: str) -> Saved | None:
        kept = next((saved for saved in reversed(self._workspaces.values()) if saved.owner == owner), None)
        return kept or self._try(lambda store: store.latest(owner))

    def news(self, workspace: str) -> tuple[int, Mapping[str, str]]:
        return self._try(lambda store: store.news(workspace)) or (0, {})

    def recent(self, owner: str) -> tuple[Saved, ...]:
        mine = [saved for saved in self._workspaces.values() if saved.owner == owner]
        kept = self._try(lambda store: store.recent(owner)) or ()
        return (*mine, *(saved for saved in kept if saved.id not in self._workspaces))

    def save(self, saved: Saved) -> int:
        """The new rev, or the old one where it is only kept in memory. Raises ConflictError."""
        done = self._try(lambda store: self._write_kept(store, leave_out=saved.id) or store.save(saved))
        if done is None:
            self._workspaces[saved.id] = saved
            return saved.rev
        self._workspaces.pop(saved.id, None)
        return done

    def put_scenario(self, owner: str, scenario: Mapping[str, Any]) -> str:
        revision = self._try(lambda store: store.put_scenario(owner, scenario))
        if revision is None:
            skeleton, bodies = pieces.take_apart(scenario)
            revision = pieces.address(skeleton, list(map(pieces.digest, bodies)))
            self._scenarios[owner, revision] = scenario
        return revision

    def scenario(self, owner: str, revision: str) -> dict[str, Any] | None:
        kept = self._scenarios.get((owner, revision))
        return dict(kept) if kept else self._try(lambda store: store.scenario(owner, revision))

    def put_text(self, owner: str, text: str) -> str:
        digest = self._try(lambda store: store.put_text(owner, text))
        if digest is None:
            digest = pieces.digest(pieces.encode(text)).hex()
            self._texts[owner, digest] = text
        return digest

    def text(self, owner: str, digest: str) -> str | None:
        kept = self._texts.get((owner, digest))
        return kept if kept is not None else self._try(lambda store: store.text(owner, digest))

    def copy(self, revision: str, texts: Iterable[str], owners: tuple[str, str]) -> None:
        self._try(lambda store: store.copy(revision, texts, owners))

    def keep(self, thing: Thing) -> int:
        """The new rev, or the old one where it is only kept in memory. Raises ConflictError."""
        done = self._try(lambda store: store.keep(thing))
        if done is None:
            self._things[thing.owner, thing.kind, thing.name] = thing
        return thing.rev if done is None else done

    def thing(self, owner: str, kind: str, name: str) -> Thing | None:
        return self._things.get((owner, kind, name)) or self._try(lambda store: store.thing(owner, kind, name))

    def things(self, owner: str, kind: str = "", trashed: bool = False) -> tuple[Thing, ...]:
        mine = [one for one in self._things.values() if one.owner == owner and kind in ("", one.kind) and not trashed]
        names = {(one.kind, one.name) for one in mine}
        kept = self._try(lambda store: store.things(owner, kind, trashed)) or ()
        return (*mine, *(one for one in kept if (one.kind, one.name) not in names))

    def throw_away(self, owner: str, kind: str, name: str) -> None:
        self._things.pop((owner, kind, name), None)
        self._try(lambda store: store.throw_away(owner, kind, name))

    def restore(self, owner: str, kind: str, name: str) -> None:
        self._try(lambda store: store.restore(owner, kind, name))

    def rename(self, owner: str, kind: str, name: str, new: str) -> None:
        """Raises ConflictError where the new name is taken. Does nothing while the database is away."""
        self._try(lambda store: store.rename(owner, kind, name, new))

    def share(self, owner: str, body: Mapping[str, Any]) -> str:
        """Empty while the database is away: a link that is only in memory would be broken tomorrow."""
        return self._try(lambda store: store.share(owner, body)) or ""

    def shared(self, id: str) -> Share | None:
        return self._try(lambda store: store.shared(id))

    def erase(self, owner: str, kind: str, name: str) -> None:
        self._things.pop((owner, kind, name), None)
        self._try(lambda store: store.erase(owner, kind, name))

    def close(self) -> None:
        if self._store:
            self._store.close()

    def _try(self, use: Callable[[Store], T]) -> T | None:
        """What `use` gives, or None where the database does not answer."""
        if self._clock() < self._again:
            return None
        try:
            self._store = self._store or Store(self._url)
            result = use(self._store)
        except (ConflictError, DamagedError):  # the database answers well
            raise
        except StoreError as error:
            self.trouble, self._again = error, self._clock() + PAUSE
            return None
        self.trouble = None
        return result

    def _write_kept(self, store: Store, leave_out: str) -> None:
        """Writes what was kept while the database was away."""
        for (owner, revision), scenario in list(self._scenarios.items()):
            store.put_scenario(owner, scenario)
            del self._scenarios[owner, revision]
        for (owner, digest), text in list(self._texts.items()):
            store.put_text(owner, text)
            del self._texts[owner, digest]
        for place, thing in list(self._things.items()):
            del self._things[place]
            try:
                store.keep(thing)
            except ConflictError:  # kept elsewhere meanwhile: that one is newer
                continue
        for saved in [each for each in self._workspaces.values() if each.id != leave_out]:
            del self._workspaces[saved.id]
            try:
                store.save(saved)
            except ConflictError:  # its tab has gone on from another state: that one is newer
                continue
