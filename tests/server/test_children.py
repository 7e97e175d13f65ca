"""Child processes and the ports that they are given."""

import socket
import sys
from pathlib import Path

import pytest

from jobsteward_server.children import LOOPBACK, free_ports, port_is_free


def test_free_ports_are_distinct_and_bindable() -> None:
    ports = free_ports(20)
    assert len(set(ports)) == 20
    assert all(map(port_is_free, ports))


@pytest.mark.skipif(sys.platform != "linux", reason="reads the range from /proc")
def test_free_ports_are_none_that_the_system_hands_out() -> None:
    """Temporal draws its inner ports from that range and crashes when one of ours is hit."""
    text = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text()
    lowest, highest = map(int, text.split())
    if lowest < 32_000:
        pytest.skip("this machine hands out low ports too")
    assert not [port for port in free_ports(200) if lowest <= port <= highest]


def test_port_in_use_is_not_free() -> None:
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))
        taken.listen()
        assert not port_is_free(taken.getsockname()[1])
