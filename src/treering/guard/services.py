"""More tokens that name their issuer: one line each, a prefix and a length."""

from __future__ import annotations

from treering.guard.formats import token
from treering.guard.rule import Rule

_HEX = "[0-9a-fA-F]"
_BASE62 = "[A-Za-z0-9]"
_WORD = r"[\w-]"
_DOTTED = r"[\w=.-]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
_UUID_EXAMPLE = "{8x}-{4x}-{4x}-{4x}-{12x}"
# Generated, not named: a long name in code may follow a short prefix too, but in small letters only.
_VARIED = r"(?=[\w=.-]{0,40}[0-9A-Z])"


def _prefixed(name: str, prefix: str, characters: str, length: int) -> Rule:
    """A literal prefix and a run of characters; three quarters of the length are enough, for a token cut short."""
    literal = prefix.replace(".", r"\.")
    place = f"{{{length}x}}" if characters == _HEX else f"{{{length}}}"
    return token(name, prefix, f"{literal}{_VARIED}{characters}{{{length * 3 // 4},}}", prefix + place)


SERVICES = (
    # Models
    _prefixed("groq-key", "gsk_", _BASE62, 52),
    _prefixed("xai-key", "xai-", _BASE62, 80),
    _prefixed("perplexity-key", "pplx-", _BASE62, 48),
    _prefixed("replicate-token", "r8_", _BASE62, 37),
    _prefixed("fireworks-key", "fw_", _BASE62, 24),
    _prefixed("tavily-key", "tvly-", _WORD, 32),
    _prefixed("elevenlabs-key", "sk_", _HEX, 48),
    _prefixed("pinecone-key", "pcsk_", r"\w", 60),
    token("langsmith-key", "lsv2_", r"lsv2_[a-z]{2}_[0-9a-f]{32}\w*", "lsv2_pt_{32x}_{10x}"),
    # Hosting and data
    _prefixed("supabase-key", "sbp_", _HEX, 40),
    _prefixed("supabase-secret", "sb_secret_", _WORD, 31),
    _prefixed("neon-key", "napi_", _BASE62, 60),
    _prefixed("planetscale-token", "pscale_tkn_", _DOTTED, 43),
    _prefixed("planetscale-oauth", "pscale_oauth_", _DOTTED, 43),
    _prefixed("planetscale-password", "pscale_pw_", _DOTTED, 43),
    _prefixed("netlify-token", "nfp_", _BASE62, 36),
    _prefixed("render-key", "rnd_", _BASE62, 28),
    _prefixed("fly-token", "fo1_", _WORD, 43),
    token("fly-macaroon", "fm1a_ fm1r_ fm2_", r"fm(?:1[ar]|2)_[A-Za-z0-9+/]{60,}={0,3}", "fm2_{120}"),
    _prefixed("scalingo-token", "tk-us-", _WORD, 48),
    _prefixed("pulumi-token", "pul-", _HEX, 40),
    _prefixed("prefect-token", "pnu_", _BASE62, 36),
    _prefixed("tailscale-key", "tskey-", _WORD, 40),
    _prefixed("dynatrace-token", "dt0c01.", _DOTTED, 89),
    _prefixed("openshift-token", "sha256~", _WORD, 43),
    _prefixed("yandex-key", "AQVN", _WORD, 36),
    _prefixed("tencent-key", "AKID", _BASE62, 32),
    token("snyk-token", "snyk_", r"snyk_[us]at\.[\w.-]{30,}", "snyk_uat.{8}.{60}"),
    token("clickhouse-key", "4b1d", r"4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])", "4b1d{38}"),
    # Building and publishing
    _prefixed("rubygems-token", "rubygems_", _HEX, 48),
    _prefixed("clojars-token", "CLOJARS_", _BASE62, 60),
    _prefixed("artifactory-key", "AKCp", _BASE62, 69),
    _prefixed("artifactory-reference", "cmVmd", _BASE62, 59),
    _prefixed("buildkite-token", "bkua_", _HEX, 40),
    _prefixed("circleci-token", "CCIPAT_", r"\w", 50),
    _prefixed("sourcegraph-token", "sgp_", r"\w", 40),
    _prefixed("infracost-key", "ico-", _BASE62, 32),
    token("crates-token", "cio", r"cio(?=\w{0,32}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])", "cio{32}"),
    token("nuget-key", "oy2", r"oy2[a-z0-9]{43}(?![A-Za-z0-9])", "oy2{43a}"),
    token("sonar-token", "sqp_ squ_ sqa_", r"sq[pua]_[0-9a-f]{30,}", "squ_{40x}"),
    token("octopus-key", "API-", r"API-[A-Z0-9]{25,}(?![A-Za-z0-9-])", "API-{26A}"),
    token("harness-key", "pat. sat.", r"[ps]at\.[\w-]{20,24}\.\w{22,26}\.\w{18,}", "pat.{22}.{24}.{20}"),
    # Work, mail and money
    _prefixed("contentful-token", "CFPAT-", _WORD, 43),
    token("readme-key", "rdme_", r"rdme_[a-z0-9]{50,}", "rdme_{70a}"),
    _prefixed("typeform-token", "tfp_", _DOTTED, 59),
    _prefixed("frameio-token", "fio-u-", r"[\w=-]", 64),
    _prefixed("brevo-key", "xkeysib-", "[0-9a-zA-Z-]", 81),
    _prefixed("adobe-secret", "p8e-", _WORD, 32),
    token("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{60,}", "pat{14}.{64x}"),
    token("hubspot-token", "pat-", rf"pat-(?:na|eu|ap)\d-{_UUID}", f"pat-na1-{_UUID_EXAMPLE}"),
    token("resend-key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}", "re_{8}_{24}"),
    token("mailchimp-key", "-us", r"[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])", "{32x}-us12", anywhere=True),
    token("shippo-token", "shippo_", r"shippo_(?:live|test)_[0-9a-fA-F]{30,}", "shippo_live_{40x}"),
    token("easypost-key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{40,}", "EZAK{54}"),
    token("duffel-token", "duffel_", r"duffel_(?:test|live)_[\w=-]{32,}", "duffel_live_{43}"),
    token("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,}(?:-X)?", "FLWSECK_TEST-{32x}-X"),
    token("maxmind-key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", "{6}_{29}_mmk", anywhere=True),
    token("mapbox-token", "sk.eyJ pk.eyJ", r"[ps]k\.eyJ[\w-]{40,}\.[\w-]{16,}", "sk.eyJ{57}.{22}"),
    token(
        "rapidapi-key",
        "msh",
        r"[a-z0-9]{10}msh[a-z0-9]{15}p1[a-z0-9]{6}jsn[a-z0-9]{12}",
        "{10a}msh{15a}p1{6a}jsn{12a}",
        anywhere=True,
    ),
    token(
        "teams-webhook",
        "webhook.office.com",
        r"webhook\.office\.com/(webhookb2/[\w@/-]{60,})",
        f"https://demo.webhook.office.com/webhookb2/{_UUID_EXAMPLE}@{_UUID_EXAMPLE}/IncomingWebhook/{{32x}}",
    ),
    token(
        "onepassword-key",
        "A3- ops_eyJ",
        r"A3-[A-Z0-9]{6}-[A-Z0-9-]{11,12}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}|ops_eyJ[A-Za-z0-9+/]{100,}={0,3}",
        "A3-{6A}-{11A}-{5A}-{5A}-{5A}",
    ),
    token("intra42-secret", "s-s4t2", r"s-s4t2(?:ud|af)-[0-9a-f]{48,}", "s-s4t2ud-{64x}"),
    token("settlemint-token", "sm_", r"sm_[aps]at_[A-Za-z0-9]{16,}", "sm_pat_{16}"),
    token(
        "authress-key",
        "sc_ ext_ scauth_ authress_",
        r"[a-z]{2,8}_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,}",
        "sc_{12}.{4a}.acc_{16a}.{44}",
    ),
)
