"""Find tokens that carry the name of their issuer, for the services that developers use most.

Lengths are below the documented ones and have no upper bound, so that a cut token is still found
and a longer one is replaced whole. Every pattern reads a text once: no open quantifier is nested.
"""

from __future__ import annotations

from treering.text.redact.rule import Rule

# A token starts where no other word is running. An escaped newline ("\n" in JSON) or an escaped byte of a URL ("%20")
# ends in a letter or a digit and is no word.
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-F]{2}))"


def token(name: str, markers: str, pattern: str, example: str, *, anywhere: bool = False) -> Rule:
    return Rule(name, tuple(markers.split()), f"{_START}(?:{pattern})", example, anywhere=anywhere)


FORMATS = (
    token(
        "aws-access-key",
        "AKIA ASIA ABIA ACCA A3T",
        r"A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])",
        "AKIA{16A}",
    ),
    token(
        "aws-session-token",
        "FwoGZXIvYXdz IQoJb3JpZ2lu",
        r"(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/]{60,}={0,2}",
        "IQoJb3JpZ2lu{200}",
    ),
    token(
        "aws-bedrock-key",
        "ABSK bedrock-api-key-",
        r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{60,}={0,2}",
        "ABSK{110}=",
    ),
    token(
        "github-token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"(?:gh[pousr]|github_pat)_\w{20,}",
        "ghp_{36}",
    ),
    token(
        "gitlab-token",
        "glpat- gldt- glcbt- glptt- glft- glimt- glagent- gloas- glrt- glrtr- glsoat- glffct- glwt- GR1348941",
        r"(?:gl[a-z]{2,5}-|GR1348941)[\w=-]{20,}(?:\.[\w-]{2,}){0,2}",
        "glpat-{20}",
    ),
    token(
        "slack-token",
        "xox xapp-",
        # "xoxo-" is also how a letter ends: that one must go on with a number.
        r"(?:xox[a-np-z](?:\.xox[a-z])?-|xoxo-(?=\d)|xapp-\d-)[A-Za-z0-9%-]{8,}",
        "xoxb-{12d}-{24}",
    ),
    token(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})",
        "https://hooks.slack.com/services/T{8A}/B{8A}/{24}",
    ),
    token(
        "stripe-key",
        "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_",
        r"(?:[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/]{20,}={0,2})",
        "sk_live_{24}",
    ),
    token("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{16,}", "sk-ant-api03-{93}AA"),
    token(
        "openai-key",  # and those who took over its prefix
        "sk-",
        r"sk-(?:[A-Za-z0-9]{20,}|(?:proj|svcacct|admin|service)-[\w-]{16,}|(?=[\w-]{0,40}\d)[\w-]{24,})",
        "sk-proj-{74}T3BlbkFJ{74}",
    ),
    token("google-api-key", "AIza", r"AIza[\w-]{30,}", "AIza{35}"),
    token(
        "google-oauth",
        "ya29. GOCSPX- 1//0",
        r"(?:ya29\.[\w-]{20,}(?:\.[\w-]{8,})*|GOCSPX-[\w-]{20,}|1//0[\w-]{30,})",
        "ya29.{60}",
    ),
    token(
        "azure-key",
        "AccountKey= SharedAccessKey= SharedAccessSignature=",
        r"(?:AccountKey|SharedAccess(?:Key|Signature))=\s?([A-Za-z0-9+/%=_-]{20,})",
        "AccountName=demo;AccountKey={86}==",
    ),
    token(
        "azure-signature",
        "sig=",
        r"(?<=[?&;])sig=([A-Za-z0-9+/%=_-]{20,})",
        "https://demo.example/x?sv=1&sig={43}",
    ),
    token("azure-client-secret", "Q~", r"[\w~.]{3}\dQ~[\w~.-]{31,}", "{3}8Q~{34}", anywhere=True),
    token("npm-token", "npm_", r"npm_[A-Za-z0-9]{30,}", "npm_{36}"),
    token("pypi-token", "pypi-", r"pypi-[\w-]{50,}", "pypi-AgEIcHlwaS5vcmc{120}"),
    token("huggingface-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,}", "hf_{34}"),
    token("twilio-key", "SK AC", r"(?:SK|AC)[0-9a-fA-F]{32}(?![A-Za-z0-9])", "SK{32x}"),
    token("sendgrid-key", "SG.", r"SG\.[\w=.-]{40,}(?<!\.)", "SG.{22}.{43}"),
    token("mailgun-key", "key- pubkey-", r"(?:pub)?key-[0-9a-z]{32}(?![A-Za-z0-9])", "key-{32a}"),
    token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-fA-F]{40,}", "dop_v1_{64x}"),
    token(
        "cloudflare-token",
        "v1.0- cfut_ cfat_ cfk_",
        r"(?:v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|cf(?:ut|at|k)_[\w-]{36,})",
        "v1.0-{24x}-{146x}",
    ),
    token("heroku-key", "HRKU-", r"HRKU-[\w-]{30,}", "HRKU-AA{58}"),
    token("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])", "dapi{32x}"),
    token("shopify-token", "shp", r"shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{28,}", "shpat_{32x}"),
    token("square-token", "sq0", r"sq0[a-z]{3}-[\w-]{20,}", "sq0atp-{22}"),
    # Binary data in base64 is full of EAAA: not behind a sign of base64, not before a run of A, not without a digit.
    token(
        "square-access-token",
        "EAAA",
        r"(?<![+/=])EAAA(?!AAA)(?=[\w-]{0,40}\d)[\w-]{22,}(?![+/=])",
        "EAAAl{59}",
    ),
    token("telegram-token", ":A", r"\d{5,16}:A[\w-]{34,}", "{10d}:AA{33}", anywhere=True),
    Rule(
        "discord-token",
        (".",),
        # Its marker is everywhere, so the search must start at a letter and not at the check before it.
        r"[MNO](?:(?<![A-Za-z0-9].)|(?<=\\[nrtbf].))[\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,}",
        "M{23}.{6}.{38}",
        anywhere=True,
    ),
    token(
        "discord-webhook",
        "discord",
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{15,22}/([\w-]{40,})",
        "https://discord.com/api/webhooks/123456789012345678/{68}",
    ),
    token("linear-key", "lin_", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{30,}", "lin_api_{40}"),
    token("notion-token", "secret_ ntn_", r"(?:secret_[A-Za-z0-9]{40,}|ntn_[A-Za-z0-9]{36,})", "ntn_{46}"),
    token(
        "atlassian-token",
        "ATATT3 ATCTT3 ATBB",
        r"(?:AT[AC]TT3[\w=-]{60,}|ATBB[A-Za-z0-9]{24,})",
        "ATATT3{186}",
    ),
    token(
        "vault-token",  # also of the form before Vault 1.10
        "hvs. hvb. hvr. s. b.",
        r"hv[sbr]\.[\w-]{24,}|[sb]\.(?=[A-Za-z]{0,24}\d)(?=[a-z0-9]{0,24}[A-Z])[A-Za-z0-9]{24}(?:\.[A-Za-z0-9]{5})?(?!\w)",
        "hvs.{95}",
    ),
    token(
        "terraform-token",
        ".atlasv1.",
        r"[A-Za-z0-9]{10,20}\.atlasv1\.[\w=-]{40,}",
        "{14}.atlasv1.{67}",
        anywhere=True,
    ),
    token(
        "doppler-token",
        "dp.",
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{36,}",
        "dp.pt.{43}",
    ),
    token("docker-token", "dckr_", r"dckr_[po]at_[\w-]{20,}", "dckr_pat_{27}"),
    token("figma-token", "fig", r"fig[a-z]{1,2}_(?=[\w-]{0,40}\d)[\w-]{30,}", "figd_{40}"),
    token(
        "grafana-token",
        "glc_ glsa_ eyJrIjoi",
        r"(?:glc_|eyJrIjoi)[A-Za-z0-9+/]{30,}={0,3}|glsa_[A-Za-z0-9]{24,}(?:_[0-9A-Fa-f]{8})?",
        "glsa_{32}_{8x}",
    ),
    token("newrelic-key", "NR", r"NR(?:AK|JS|II|AA|RA|IQ|SP)-[\w-]{19,}", "NRAK-{27A}"),
    token("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[\w+/=-]{30,}", "sntryu_{64x}"),
    token("postman-key", "PMAK-", r"PMAK-[0-9A-Za-z-]{40,}", "PMAK-{24x}-{34x}"),
    token("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}", "AGE-SECRET-KEY-1{58A}"),
    token("alibaba-key", "LTAI", r"LTAI[A-Za-z0-9]{12,}", "LTAI{20}"),
    token(
        "facebook-token",
        "EAA",
        r"(?<![+/=])EAA[A-Z](?=[A-Za-z0-9]{0,60}\d)[A-Za-z0-9]{80,}(?![+/=])",
        "EAAC{120}",
    ),
)


_HEX = "[0-9a-fA-F]"
_BASE62 = "[A-Za-z0-9]"
_WORD = r"[\w-]"
_DOTTED = r"[\w=.-]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
_UUID_EXAMPLE = "{8x}-{4x}-{4x}-{4x}-{12x}"
# Generated, not named: a long name in code may follow a short prefix too, but in small letters only.
_VARIED = r"(?=[\w=.-]{0,40}[0-9A-Z])"


def _prefixed(name: str, prefix: str, characters: str, length: int) -> Rule:
    """Build a rule: a prefix and a run of characters, of which three quarters are enough."""
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
