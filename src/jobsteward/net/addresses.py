"""Which IP addresses may be dialled: public unicast ones, and nothing that leads elsewhere."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_V4_REFUSED = tuple(
    ip_network(block)
    for block in (
        "100.64.0.0/10",  # carrier-grade NAT
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # 6to4 relays
        "168.63.129.16/32",  # a cloud's host agent, on a public-looking address
    )
)
_V6_PUBLIC = ip_network("2000::/3")
_V6_REFUSED = tuple(
    ip_network(block)
    for block in (
        "2001::/23",  # Teredo and other protocol assignments
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which wraps an IPv4 address
        "3fff::/20",  # documentation
    )
)


def is_public(text: str) -> bool:
    """Whether the address is one that anybody on the internet may reach.

    An allow rule: IPv4 that wraps itself in IPv6 (mapped, NAT64, 6to4, Teredo), multicast,
    reserved and link-local ranges are refused because they are not plainly public.
    Text that is no address is refused as well.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    match address:
        case IPv4Address():
            return not any(address in block for block in _V4_REFUSED)
        case IPv6Address():
            public = address in _V6_PUBLIC and address.scope_id is None
            return public and not any(address in block for block in _V6_REFUSED)
