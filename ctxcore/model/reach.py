"""Which machines an endpoint may lie on: names, and addresses that are this machine's own network.

A name is looked at before each request, redirects included, and the address that was really connected to before
anything is sent: a name that answers otherwise the second time gets nothing.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from ctxcore.model.replies import ModelError

SHARED = ipaddress.ip_network("100.64.0.0/10")  # of carriers; not global, and not called private either
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # IPv4 behind IPv6


@dataclass(frozen=True, slots=True)
class Reach:
    """`hosts`: patterns such as `*.example.com`, all others are refused; () = any. `private`: whether addresses of this
    machine and its network may be asked."""

    hosts: tuple[str, ...] = ()
    private: bool = True

    @property
    def is_free(self) -> bool:
        return self.private and not self.hosts

    def check(self, host: str, port: int | None) -> None:
        """Raises ModelError for a host that may not be asked, by its name or by any address that it has."""
        if self.hosts and not any(fnmatch(host.lower(), pattern.lower()) for pattern in self.hosts):
            raise ModelError("forbidden", "model-not-allowed", host)
        if self.private:
            return
        try:
            found = socket.getaddrinfo(host, port or 443, type=socket.SOCK_STREAM)
        except OSError:
            return  # the client says that there is no such machine
        for *_, address in found:
            self.check_address(str(address[0]), host)

    def check_address(self, address: str, host: str = "") -> None:
        if not self.private and not _is_public(address):
            raise ModelError("forbidden", "model-own-network", host or address, address=address)

    def check_stream(self, stream: Any) -> None:
        """Of a connection that was just made, with nothing sent yet."""
        if not self.private and (peer := stream.get_extra_info("server_addr")):
            self.check_address(str(peer[0]))


ANYWHERE = Reach()


def _is_public(text: str) -> bool:
    address: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif address in TRANSLATED:
            address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.is_global and not address.is_multicast and not (address.version == 4 and address in SHARED)
