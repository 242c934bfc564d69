"""The feed of changes: each change once, in order, also behind a connection that has broken."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ._connection import HyperslabError, Server

_WAIT_SECONDS = 30


@dataclass(frozen=True)
class Event:
    """A step of the feed.

    `kind` is `start`, where the feed begins; `gone`, where changes were missed that the service does not keep any more;
    or `change`. At the first two read what you need. `position` is that to go on from with `since`; changes of one
    commit in several domains have the same. `changes` are as docs/guide/live.md has them.
    """

    kind: str
    position: str
    domain: str | None = None
    #: The state of the domain, for `Domain.at`.
    state: str | None = None
    #: Seconds since 1970.
    time: float | None = None
    changes: list[dict[str, Any]] = field(default_factory=list)
    #: There are more changes than the event lists: read the domain.
    more: bool = False


def follow(server: Server, path: str, h5path: str | None, since: str | None) -> Iterator[Event]:
    """Events of a domain or folder without end; `HyperslabError` when the service refuses."""
    position = since
    while True:
        wait = 0 if position is None else _WAIT_SECONDS
        parameters = {'domain': path, 'h5path': h5path, 'since': position, 'wait': wait}
        try:
            answer = server.json('GET', '/events', parameters)
        except HyperslabError as error:
            if 0 < error.status < 500:
                raise
            time.sleep(1)
            continue
        following = str(answer['next'])
        if position is None or answer.get('gone'):
            yield Event('start' if position is None else 'gone', following, path, answer.get('state'))
        events = answer['events']
        reached = position or following
        for number, event in enumerate(events):
            is_last = number + 1 == len(events)
            # Events of one commit have one id: a program that goes on from between them gets all again.
            if is_last or events[number + 1]['id'] != event['id']:
                reached = following if is_last else event['id']
            yield Event(
                'change',
                reached,
                event.get('domain'),
                event.get('state'),
                event.get('time'),
                event.get('changes', []),
                bool(event.get('more')),
            )
        position = following
