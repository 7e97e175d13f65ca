"""Which URLs are taken, before anything is looked up (SEC-3)."""

import pytest

from jobsteward.kernel.errors import JobstewardError, UrlBlockedError, UrlInvalidError
from jobsteward.net import check_url
from jobsteward.net.addresses import is_public


@pytest.mark.parametrize(
    "url",
    [
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:127.0.0.1]:8233/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b:1::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    ],
)
def test_s02_wrapped_private_addresses_are_blocked(url: str) -> None:
    with pytest.raises(UrlBlockedError):
        check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://0/",
        "http://127.0.0.1./",
        "http://①②⑦.⓪.⓪.①/",
        "http://127。0。0。1/",
        "http://foo.localhost/",
        "http://localhost/",
        "http://printer/",
        "https://./",
    ],
)
def test_s03_disguised_local_hosts_are_refused(url: str) -> None:
    with pytest.raises((UrlBlockedError, UrlInvalidError)) as caught:
        check_url(url)
    assert caught.value.code in {"url_blocked", "url_invalid"}


@pytest.mark.parametrize(
    "url",
    [
        "http://u:p@127.0.0.1#@example.com/",
        "http://user@example.com/",
        "http://127.0.0.1\\@example.com/",
        "http://exa\nmple.com/",
        "http://exa\tmple.com/",
        " http://127.0.0.1/",
        "http://example.com%00.evil/",
        "http:///x",
        "https://example.com/" + "a" * 2029,
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "example.com/jobs",
        "http://example.com:port/",
        "http://example.com:99999/",
        "http://[::1/",
        "http://-a.example.com/",
        "",
    ],
)
def test_s06_malformed_urls_are_invalid_input(url: str) -> None:
    with pytest.raises(UrlInvalidError):
        check_url(url)


def test_refusals_never_repeat_the_url() -> None:
    for url in ("http://secret:pw@x.example/", "http://10.0.0.7/secret", "ftp://secret.example"):
        with pytest.raises(JobstewardError) as caught:
            check_url(url)
        assert "secret" not in caught.value.message and "10.0.0.7" not in caught.value.message


@pytest.mark.parametrize("port", [22, 6379, 8080, 8443])
def test_other_ports_are_blocked_unless_asked_for(port: int) -> None:
    with pytest.raises(UrlBlockedError):
        check_url(f"http://acme.example:{port}/")


def test_web_ports_can_be_allowed() -> None:
    assert check_url("http://acme.example:8080/", other_ports=True).authority == "acme.example:8080"
    with pytest.raises(UrlBlockedError):
        check_url("http://acme.example:6379/", other_ports=True)


def test_a_checked_url_is_plain_ascii() -> None:
    url = check_url("HTTPS://Bücher.example.:443/Stellen/Köln?q=a b#top".replace(" ", "+"))
    assert str(url) == "https://xn--bcher-kva.example/Stellen/K%C3%B6ln?q=a+b"
    assert check_url(str(url)) == url


def test_a_url_of_the_greatest_length_is_taken() -> None:
    longest = "https://example.com/" + "a" * 2028
    assert len(longest) == 2048
    assert str(check_url(longest)) == longest


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "168.63.129.16", "169.254.169.254",
        "172.16.0.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
        "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "100::1", "2001::1", "2001:db8::1",
        "2002:808:808::", "3fff::1", "fc00::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
        "2606:4700::1%1", "not an address",
    ],
)  # fmt: skip
def test_addresses_that_are_not_plainly_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)
