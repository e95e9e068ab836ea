"""Tokens that start as their vendor says: a table of prefixes and what follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from experience_pack.text.secret_values import any_password, block, dense, filled, mixed


class Token(NamedTuple):
    """A token whose prefix tells whose it is."""

    name: str
    prefixes: tuple[str, ...]
    body: str
    """What follows the prefix."""
    check: Callable[[str], bool] = filled


_B64 = r"[A-Za-z0-9+/]"
_WORD = r"[\w-]"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

TOKENS = (
    Token(
        "aws key",
        ("AKIA", "ASIA", "ABIA", "ACCA", "A3T"),
        r"[A-Z0-9]{16,17}(?![A-Za-z0-9_])",
    ),
    Token("aws bedrock key", ("ABSK",), rf"{_B64}{{60,269}}={{0,2}}(?!{_B64})", block),
    Token("aws mws token", ("amzn.mws.",), _UUID),
    Token(
        "github token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        r"[A-Za-z0-9]{36,}",
        dense,
    ),
    Token("github token", ("github_pat_",), r"\w{20,}", dense),
    Token(
        "gitlab token",
        (
            "glpat-",
            "gldt-",
            "glrt-",
            "glptt-",
            "glft-",
            "glsoat-",
            "glimt-",
            "glagent-",
            "glcbt-",
            "gloas-",
            "GR1348941",
            "glffct-",
        ),
        r"[\w.-]{20,}",
        dense,
    ),
    Token(
        "slack token",
        ("xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxs-", "xoxr-", "xoxe-", "xoxe.xox"),
        r"(?:(?:xox[bp]-)?\d{1,2}-[A-Za-z0-9-]{40,}|(?:\d{9,14}-){1,3}"
        r"[A-Za-z0-9]{6,})(?![\w-])",
        dense,
    ),
    Token("slack token", ("xapp-",), r"\d-[A-Za-z0-9-]{20,}", dense),
    Token(
        "stripe key",
        ("sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_"),
        r"[A-Za-z0-9]{10,}",
        dense,
    ),
    Token("stripe webhook key", ("whsec_",), rf"{_B64}{{24,}}={{0,2}}", dense),
    Token("anthropic key", ("sk-ant-",), r"[a-z]{3,5}\d\d-[\w-]{80,}(?<=AA)"),
    Token("api key", ("sk-",), rf"(?!ant-){_WORD}{{20,}}", dense),
    Token("hugging face token", ("hf_",), r"[A-Za-z]{34}(?!\w)", dense),
    Token("hugging face token", ("api_org_",), r"[A-Za-z]{34}(?!\w)", dense),
    Token("npm token", ("npm_",), r"[A-Za-z0-9]{36}(?!\w)", dense),
    Token("pypi token", ("pypi-AgE",), rf"{_WORD}{{50,}}"),
    Token("google key", ("AIzaSy",), r"[\w-]{33,}", dense),
    Token("google oauth secret", ("GOCSPX-",), rf"{_WORD}{{28}}", dense),
    Token("google oauth token", ("ya29.",), rf"{_WORD}{{20,}}", dense),
    Token(
        "digitalocean token",
        ("dop_v1_", "doo_v1_", "dor_v1_"),
        r"[0-9a-f]{64}",
        dense,
    ),
    Token("databricks token", ("dapi",), r"[0-9a-f]{32}(?:-\d)?(?!\w)", dense),
    Token("dynatrace token", ("dt0",), r"[a-z]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}"),
    Token(
        "new relic key",
        ("NRAK-", "NRRA-", "NRAA-", "NRIQ-", "NRII-", "NRJS-", "NRBR-", "NRSP-"),
        r"[A-Za-z0-9_-]{19,}",
        any_password,
    ),
    Token("pixie key", ("px-api-", "px-dep-"), _UUID),
    Token("square token", ("sq0atp-", "sq0atb-"), rf"{_WORD}{{22,}}", dense),
    Token("square secret", ("sq0csp-", "sq0csb-"), rf"{_WORD}{{40,}}", dense),
    Token("square token", ("EAAA",), rf"{_WORD}{{60}}(?!{_WORD})", dense),
    Token("firebase key", ("AAAA",), r"[\w-]{7}:APA91[\w-]{40,}", dense),
    Token("facebook token", ("EAA",), r"[A-Za-z0-9]{80,}", dense),
    Token("twilio key", ("SK", "AC"), r"[0-9a-f]{32}(?!\w)", dense),
    Token("sendgrid key", ("SG.",), rf"{_WORD}{{20,24}}\.{_WORD}{{39,50}}", dense),
    Token("sendinblue key", ("xkeysib-",), r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    Token("mailgun key", ("key-", "pubkey-"), r"[0-9a-f]{32}(?!\w)", dense),
    Token("vault token", ("hvs.", "hvb.", "hvr."), rf"{_WORD}{{24,}}", dense),
    Token("vault token", ("s.", "b.", "r."), rf"{_WORD}{{24,}}", mixed),
    Token("age key", ("AGE-SECRET-KEY-1",), r"[A-Z0-9]{58}"),
    Token("artifactory key", ("AKC",), r"[pP]?[A-Za-z0-9]{60,}", dense),
    Token("artifactory token", ("cmVmdGtu",), r"[A-Za-z0-9]{56}"),
    Token("atlassian token", ("ATATT3", "ATCTT3", "ATBB"), r"[\w=-]{24,}", dense),
    Token("adafruit key", ("aio_",), r"[A-Za-z0-9]{28}", dense),
    Token("adobe secret", ("p8e-",), rf"{_WORD}{{32}}", dense),
    Token("airtable token", ("pat",), r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    Token("dependency-track key", ("odt_",), r"(?:[A-Za-z0-9]{8}_)?[A-Za-z0-9]{32}"),
    Token("docker token", ("dckr_pat_", "dckr_oat_"), rf"{_WORD}{{27,}}", dense),
    Token(
        "doppler token",
        ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."),
        r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    ),
    Token("dropbox token", ("sl.",), rf"(?:u\.)?{_WORD}{{60,}}", dense),
    Token("duffel token", ("duffel_test_", "duffel_live_"), r"[\w=-]{43}"),
    Token("easypost key", ("EZAK", "EZTK"), r"[A-Za-z0-9]{54}(?!\w)", dense),
    Token("figma token", ("figd_", "figp_", "figo_"), rf"{_WORD}{{38,}}", dense),
    Token("fly token", ("fo1_",), rf"{_WORD}{{43}}"),
    Token("fly token", ("fm1r_", "fm1a_", "fm2_"), rf"{_B64}{{60,}}={{0,3}}"),
    Token("frame.io token", ("fio-u-",), r"[\w=-]{64}"),
    Token("grafana token", ("glsa_",), r"[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    Token("grafana token", ("glc_",), rf"{_B64}{{32,}}={{0,3}}", dense),
    Token("groq key", ("gsk_",), r"[A-Za-z0-9]{48,}", dense),
    Token("harness token", ("pat.", "sat."), r"[\w-]{22}\.[0-9a-f]{24}\.\w{20}"),
    Token("heroku key", ("HRKU-",), r"[\w-]{36,}", dense),
    Token("linear key", ("lin_api_", "lin_oauth_"), r"[A-Za-z0-9]{32,}", dense),
    Token(
        "mapbox token", ("pk.eyJ", "sk.eyJ", "tk.eyJ"), rf"{_WORD}{{20,}}\.[\w-]{{20,}}"
    ),
    Token("notion token", ("ntn_",), r"\d{11}[A-Za-z0-9]{35}(?!\w)"),
    Token("notion token", ("secret_",), r"[A-Za-z0-9]{43}(?!\w)", dense),
    Token("nuget key", ("oy2",), r"[a-z0-9]{43}(?!\w)", dense),
    Token("octopus key", ("API-",), r"[A-Z0-9]{26}(?!\w)", dense),
    Token("openshift token", ("sha256~",), r"[\w-]{43}"),
    Token("perplexity key", ("pplx-",), r"[A-Za-z0-9]{40,}", dense),
    Token("planetscale token", ("pscale_",), r"(?:tkn|pw|oauth)_[\w.=-]{32,}", dense),
    Token("postman key", ("PMAK-",), r"[0-9a-f]{24}-[0-9a-f]{34}", dense),
    Token("prefect token", ("pnu_", "pnb_"), r"[A-Za-z0-9]{36}(?!\w)", dense),
    Token("pulumi token", ("pul-",), r"[0-9a-f]{40}", dense),
    Token("readme token", ("rdme_",), r"[a-z0-9]{70}", dense),
    Token("replicate token", ("r8_",), r"[A-Za-z0-9]{37,40}(?!\w)", dense),
    Token("rubygems key", ("rubygems_",), r"[0-9a-f]{48}", dense),
    Token("salesforce token", ("00D",), r"[A-Za-z0-9]{12,15}![\w.]{60,}", block),
    Token("scalingo token", ("tk-us-",), rf"{_WORD}{{48}}", dense),
    Token("sentry token", ("sntrys_", "sntryu_"), r"[\w+/=]{40,}", dense),
    Token("shippo token", ("shippo_live_", "shippo_test_"), r"[0-9a-f]{40}", dense),
    Token(
        "shopify token",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_"),
        r"[0-9a-fA-F]{32}",
        dense,
    ),
    Token("sourcegraph token", ("sgp_",), r"(?:[0-9a-zA-Z]{5,20}_)?[0-9a-fA-F]{40,64}"),
    Token("sourcegraph token", ("slk_", "sgd_"), r"[0-9a-f]{64}"),
    Token("supabase key", ("sbp_", "sb_secret_"), rf"{_WORD}{{31,}}", dense),
    Token("tailscale key", ("tskey-",), r"[a-z]{3,10}-[\w-]{16,}", dense),
    Token("xai key", ("xai-",), r"[A-Za-z0-9]{70,}", dense),
    Token("yandex token", ("t1.", "AQVN", "y0_"), r"[\w=-]{36,}", dense),
    Token("alibaba key", ("LTAI",), r"[A-Za-z0-9]{17,21}(?!\w)", dense),
    Token("tencent key", ("AKID",), r"[A-Za-z0-9]{32}(?!\w)", dense),
    Token("clojars token", ("CLOJARS_",), r"[a-z0-9]{60}", dense),
    Token("buildkite token", ("bkua_",), r"[0-9a-f]{40}", dense),
    Token("contentful token", ("CFPAT-",), rf"{_WORD}{{43}}", dense),
    Token("crates.io token", ("cio",), r"[A-Za-z0-9]{32}(?!\w)", dense),
    Token("runpod key", ("rpa_",), r"[A-Za-z0-9]{32,}", dense),
    Token("typeform token", ("tfp_",), r"[\w.=-]{59}", dense),
    Token("1password token", ("ops_eyJ",), r"[\w=-]{250,}"),
    Token("django key", ("django-insecure-",), r"[^\s\"'‹›]{30,}", block),
    Token("infracost key", ("ico-",), r"[A-Za-z0-9]{32}(?!\w)", dense),
)
"""Tokens whose prefix tells whose they are."""
