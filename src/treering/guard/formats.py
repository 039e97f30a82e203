"""Tokens that carry the name of their issuer: the formats of the services that developers use most.

Lengths are lower bounds below the documented ones and have no upper bound, so that a cut token is still found and a
longer one is replaced whole. Every pattern reads a text once: no open quantifier stands inside another.
"""

from __future__ import annotations

from treering.guard.rule import Rule

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
    token("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}", "hvs.{95}"),
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
