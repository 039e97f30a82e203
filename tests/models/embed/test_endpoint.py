"""Vectors from a server, against real ones on this machine that behave and misbehave."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from time import monotonic
from typing import Any

import numpy
import pytest

from tests.serving import Answering, Reply, dripping, saying, serving, silent, talking
from treering.ledger.errors import InvalidInput
from treering.models import post
from treering.models.embed import remote
from treering.models.embed.remote import BATCH, EndpointEmbedder, EndpointFailed
from treering.models.port import Embedder

KEY = "sk-not-a-real-key-0123456789"
WIDTH = 4


def vector(text: str, width: int = WIDTH) -> list[float]:
    return [float(len(text) + at) for at in range(width)]


def rows(question: dict[str, Any], width: int = WIDTH) -> list[dict[str, Any]]:
    return [
        {"object": "embedding", "index": at, "embedding": vector(text, width)}
        for at, text in enumerate(question["input"])
    ]


def ok(data: object) -> Reply:
    return 200, {}, json.dumps({"object": "list", "data": data, "usage": {"total_tokens": 1}}).encode()


def good(question: dict[str, Any]) -> Reply:
    return ok(rows(question)[::-1])  # the order is said by `index` alone


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each pause would have been."""
    made: list[float] = []
    monkeypatch.setattr(post, "sleep", made.append)
    return made


class TestAnswers:
    def test_rows_are_in_the_order_of_the_texts(self) -> None:
        """Whatever the order of the answer; each of length 1, and zeros for a text that says nothing."""
        with serving(good) as server:
            embedder: Embedder = EndpointEmbedder(server.url, "small", KEY)
            made = embedder.embed(["a", "  ", "longer text"])
            expected = numpy.array([vector("a"), [0] * WIDTH, vector("longer text")], numpy.float32)
            lengths = numpy.linalg.norm(expected, axis=1, keepdims=True)
            assert numpy.allclose(made, expected / numpy.where(lengths == 0, 1, lengths))
            assert server.seen == [{"model": "small", "input": ["a", "longer text"]}]
            assert server.headers[0]["Authorization"] == f"Bearer {KEY}"

    def test_many_texts_go_in_batches(self) -> None:
        """And come back as one matrix."""
        texts = ["x" * (1 + number % 50) for number in range(2 * BATCH + 1)]
        with serving(good) as server:
            embedder = EndpointEmbedder(server.url, "small")
            assert embedder.embed(texts).shape == (len(texts), WIDTH)
            assert [len(question["input"]) for question in server.seen] == [BATCH, BATCH, 1]
            assert "Authorization" not in server.headers[0]

    def test_a_question_is_its_text(self) -> None:
        """A model that reads sentences has no use for weights of words."""
        with serving(good) as server:
            embedder = EndpointEmbedder(server.url, "small")
            assert (embedder.question([("who", 2.0)], "who is it") == embedder.embed(["who is it"])).all()

    def test_dimensions_are_learned_from_an_answer(self) -> None:
        """From the first, or from one that is asked for if there was none."""
        with serving(good) as server:
            asked, told = EndpointEmbedder(server.url, "small"), EndpointEmbedder(server.url, "small")
            assert asked.dimensions == asked.dimensions == WIDTH
            assert len(server.seen) == 1
            told.embed(["a"])
            assert told.dimensions == WIDTH
            assert len(server.seen) == 2

    def test_blank_texts_alone_are_zeros(self) -> None:
        """As wide as the others."""
        with serving(good) as server:
            assert EndpointEmbedder(server.url, "small").embed(["", " "]).tolist() == [[0.0] * WIDTH] * 2


class TestPatience:
    @pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
    def test_a_busy_server_is_asked_again(self, code: int, pauses: list[float]) -> None:
        """Later each time."""
        with serving(saying(code), saying(code), good) as server:
            assert EndpointEmbedder(server.url, "small").embed(["a"]).any()
            assert len(server.seen) == 3
            assert pauses == [0.5, 1.0]

    def test_a_server_may_say_when_to_come_back(self, pauses: list[float]) -> None:
        """Within reason: someone is waiting."""
        with serving(saying(429, Retry_After="3"), saying(429, Retry_After="9999"), good) as server:
            EndpointEmbedder(server.url, "small").embed(["a"])
            assert pauses == [3.0, post.LONGEST_PAUSE]

    def test_patience_ends(self) -> None:
        """With an error that says what the server said."""
        with serving(saying(429)) as server:
            with pytest.raises(EndpointFailed, match=r"small.*it answered 429, 3 times; try again later"):
                EndpointEmbedder(server.url, "small").embed(["a"])
            assert len(server.seen) == post.ATTEMPTS

    def test_nobody_there(self) -> None:
        """A server that is not running is named, after some attempts."""
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
            with pytest.raises(EndpointFailed, match="cannot be reached"):
                EndpointEmbedder(url, "small").embed(["a"])

    def test_a_server_that_hangs_is_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It takes the connection and never answers."""
        monkeypatch.setattr(remote, "TIMEOUT", 0.1)
        monkeypatch.setattr(remote, "TIMEOUT_EACH", 0.0)
        start = monotonic()
        with (
            talking(silent) as url,
            pytest.raises(EndpointFailed, match=r"its answer took longer than 0\.1 seconds, 3 times"),
        ):
            EndpointEmbedder(url, "small").embed(["a"])
        assert monotonic() - start < 10 * post.ATTEMPTS * 0.1

    @pytest.mark.parametrize(
        ("head", "drop"),
        [
            (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" "),
            (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
            (b"HTTP/1.1 500 Sorry\r\nContent-Length: 100000\r\n\r\n", b" "),
            (b"", b"H"),
        ],
        ids=["body", "head", "chunks", "error", "status"],
    )
    def test_a_server_that_drips_is_left(self, head: bytes, drop: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each byte comes in time, and the answer never does."""
        monkeypatch.setattr(remote, "TIMEOUT", 0.2)
        monkeypatch.setattr(remote, "TIMEOUT_EACH", 0.1)
        monkeypatch.setattr(post, "ATTEMPTS", 1)
        drip = dripping(head, drop)
        with (
            talking(drip) as url,
            pytest.raises(EndpointFailed, match=r"took longer than 0\.3 seconds|it answered 500"),
        ):
            EndpointEmbedder(url, "small").embed(["a"])

    def test_an_answer_that_breaks_off_is_asked_for_again(self) -> None:
        """Half of an answer is none."""
        half: Answering = lambda question: (200, {"Content-Length": "5000", "Connection": "close"}, good(question)[2])  # noqa: E731
        with serving(half, good) as server:
            assert EndpointEmbedder(server.url, "small").embed(["a"]).any()
            assert len(server.seen) == 2


class TestLength:
    """A model takes so many tokens, and servers say so in many ways."""

    @pytest.mark.parametrize(
        ("code", "said"),
        [
            (500, "input (5001 tokens) is too large to process. increase the physical batch size"),
            (400, "This model's maximum context length is 8192 tokens"),
            (413, "inputs must have less than 512 tokens"),
            (400, "the input length exceeds the context length"),
        ],
    )
    def test_as_much_of_a_long_text_counts_as_fits(self, code: int, said: str, pauses: list[float]) -> None:
        """Its neighbours lose nothing, and nobody waits for what waiting does not mend."""

        def narrow(question: dict[str, Any]) -> Reply:
            long = any(len(text) > 2000 for text in question["input"])
            return saying(code, json.dumps({"error": said}).encode())(question) if long else good(question)

        with serving(narrow) as server:
            made = EndpointEmbedder(server.url, "small").embed(["a", "b" * 5000, "c"])
            alone = EndpointEmbedder(server.url, "small").embed(["a", "b" * 1250, "c"])
            assert (made == alone).all()
            assert pauses == []

    def test_a_server_that_finds_all_texts_too_long_is_given_up(self) -> None:
        """With what it said: it may mean something else."""
        with serving(saying(400, b"invalid access token")) as server:
            with pytest.raises(EndpointFailed, match=r"it answered 400 \(invalid access token\)"):
                EndpointEmbedder(server.url, "small").embed(["a" * 4000] * BATCH)
            assert len(server.seen) < 10


def with_rows(change: Callable[[list[dict[str, Any]]], object]) -> Answering:
    return lambda question: ok(change(rows(question)))


class TestNonsense:
    @pytest.mark.parametrize(
        ("answering", "problem"),
        [
            (saying(200, b"<html>hello</html>"), "not that of an embeddings endpoint"),
            (saying(200, b'{"data": [{"index": 0, "embedding": [1, 2'), "not that of an embeddings endpoint"),
            (saying(200, b"\xff\xfe"), "not that of an embeddings endpoint"),
            (saying(200, b'{"error": "no such model"}'), "not that of an embeddings endpoint"),
            (with_rows(lambda made: [{"index": 0, "embedding": "AACAPw=="}]), "not that of an embeddings endpoint"),
            (with_rows(lambda made: made[:1]), "1 vectors, or ill-numbered ones, for 2 texts"),
            (with_rows(lambda made: made * 2), "4 vectors, or ill-numbered ones, for 2 texts"),
            (with_rows(lambda made: [made[0], made[0]]), "ill-numbered"),
            (with_rows(lambda made: [made[0], {"index": 1, "embedding": [1.0]}]), "1 and 4 numbers"),
            (with_rows(lambda made: [{**row, "embedding": []} for row in made]), "0 numbers"),
            (with_rows(lambda made: [{**row, "embedding": [1e300]} for row in made]), "too large"),
        ],
    )
    def test_an_answer_that_makes_no_sense_is_refused(self, answering: Answering, problem: str) -> None:
        """At once, as it would not get better, and no vector of it is used."""
        with serving(answering) as server:
            with pytest.raises(EndpointFailed, match=problem):
                EndpointEmbedder(server.url, "small").embed(["a", "b"])
            assert len(server.seen) == 1

    def test_a_width_that_changes_is_refused(self) -> None:
        """Between batches or between calls: such vectors cannot be compared."""
        with serving(good, lambda question: ok(rows(question, WIDTH + 1))) as server:
            embedder = EndpointEmbedder(server.url, "small")
            embedder.embed(["a"])
            with pytest.raises(EndpointFailed, match=r"5 numbers.*it was 4: see whether the model"):
                embedder.embed(["a"])
            assert embedder.dimensions == WIDTH

    def test_an_endless_answer_is_cut(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Before it fills the memory."""
        monkeypatch.setattr(remote, "LARGEST_ANSWER", 1000)
        with serving(saying(200, b" " * 10_000)) as server, pytest.raises(EndpointFailed, match="larger than 1,000"):
            EndpointEmbedder(server.url, "small").embed(["a"])


class TestSecrecy:
    @pytest.mark.parametrize(
        ("code", "hint"), [(400, "see what the server says"), (401, "the key is right"), (404, "the address")]
    )
    def test_an_error_never_holds_the_key(self, code: int, hint: str) -> None:
        """Not even if the server repeats it; the rest of what the server said is there."""
        body = f"wrong:\n{KEY}\x1b[31m".encode()
        with serving(saying(code, body)) as server:
            embedder = EndpointEmbedder(server.url, "small", KEY)
            with pytest.raises(EndpointFailed, match=hint) as caught:
                embedder.embed(["a"])
            assert "wrong:[the key]" in str(caught.value)
            assert KEY not in f"{caught.value}{caught.value.__context__}{embedder!r}{embedder.name}"
            assert "\x1b" not in str(caught.value)

    def test_a_key_is_not_sent_on(self) -> None:
        """A redirection is an error: the other host has no right to the key, nor to the texts."""
        with serving(good) as other, serving(saying(302, Location=other.url)) as server:
            with pytest.raises(EndpointFailed, match="it moved; give the new address"):
                EndpointEmbedder(server.url, "small", KEY).embed(["a"])
            assert other.seen == []

    @pytest.mark.parametrize("key", ["sk-secret\n", "sk secret", "sk-sécret", "sk-\x00"])
    def test_a_key_that_cannot_be_sent_is_refused_unseen(self, key: str) -> None:
        """Before a library below puts it into an error of its own."""
        with pytest.raises(InvalidInput, match="copy it again") as caught:
            EndpointEmbedder("https://api.example.org/v1", "small", key)
        assert "secret" not in str(caught.value)

    def test_this_machine_is_asked_without_a_proxy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Texts for a local model do not take a way around."""
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        with serving(good) as server:
            assert EndpointEmbedder(server.url, "small").embed(["a"]).any()


class TestAddress:
    @pytest.mark.parametrize(
        ("given", "used"),
        [
            ("https://api.example.org", "https://api.example.org/v1/embeddings"),
            ("https://api.example.org/", "https://api.example.org/v1/embeddings"),
            ("https://api.example.org/v1", "https://api.example.org/v1/embeddings"),
            ("https://api.example.org/v1/embeddings", "https://api.example.org/v1/embeddings"),
            ("https://example.org/openai/v3/", "https://example.org/openai/v3/embeddings"),
            ("http://localhost:8080", "http://localhost:8080/v1/embeddings"),
            ("http://[::1]:8080/v1", "http://[::1]:8080/v1/embeddings"),
            ("http://127.0.0.2/v1", "http://127.0.0.2/v1/embeddings"),
        ],
    )
    def test_an_address_may_be_given_in_part(self, given: str, used: str) -> None:
        """The name holds the whole, and the model."""
        assert EndpointEmbedder(given, "small").name == f"endpoint:{used}#small"

    @pytest.mark.parametrize(
        ("url", "reason"),
        [
            ("http://api.example.org/v1", "in the clear"),
            ("http://127.0.0.1.example.org", "in the clear"),
            ("http://localhost.example.org", "in the clear"),
            ("http://10.0.0.1/v1", "in the clear"),
            ("http://0.0.0.0/v1", "in the clear"),
            ("https://user:secret@example.org/v1", "no user"),
            ("https://example.org/v1?key=secret", "no user, query"),
            ("file:///etc/passwd", "no address"),
            ("ftp://localhost/v1", "no address"),
            ("https://", "no address"),
            ("https://example.org/a b", "no address"),
            ("https://exämple.org", "no address"),
            ("https://example.org:port/", "is invalid"),
            ("http://[::1", "is invalid"),
            ("", "no address"),
        ],
    )
    def test_an_address_that_will_not_do_is_refused(self, url: str, reason: str) -> None:
        """With the reason, and without the secret that it may hold."""
        with pytest.raises(InvalidInput, match=reason) as caught:
            EndpointEmbedder(url, "small", KEY)
        assert "secret" not in str(caught.value)
