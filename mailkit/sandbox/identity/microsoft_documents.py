"""The two public documents a Microsoft client reads before anything else.

Responsible for their members. Sources: learn.microsoft.com/entra/identity-platform/v2-protocols-oidc and
/authentication-national-cloud; members as the live documents have them.
"""

from __future__ import annotations

from urllib.parse import urlsplit

__all__ = ["HOSTS", "instance_discovery", "openid_configuration"]

# Each cloud: its preferred host, its host for caches, every name it goes by.
_CLOUDS = (
    ("login.microsoftonline.com", "login.windows.net", ("login.microsoft.com", "sts.windows.net")),
    ("login.partner.microsoftonline.cn", "login.partner.microsoftonline.cn", ("login.chinacloudapi.cn",)),
    ("login.microsoftonline.us", "login.microsoftonline.us", ("login.usgovcloudapi.net",)),
)
_GRAPHS = {
    "login.partner.microsoftonline.cn": "microsoftgraph.chinacloudapi.cn",
    "login.microsoftonline.us": "graph.microsoft.us",
}
HOSTS = tuple(network for network, _, _ in _CLOUDS)


def openid_configuration(origin: str, segment: str, issuer: str) -> dict[str, object]:
    """Say where everything is, for the authority ``segment``; ``issuer`` is a tenant's id or ``{tenantid}``."""
    host = urlsplit(origin).hostname or ""
    base = f"{origin}/{segment}"
    return {
        "token_endpoint": f"{base}/oauth2/v2.0/token",
        "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt", "client_secret_basic"],
        "jwks_uri": f"{base}/discovery/v2.0/keys",
        "response_modes_supported": ["query", "fragment", "form_post"],
        "subject_types_supported": ["pairwise"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
        "scopes_supported": ["openid", "profile", "email", "offline_access"],
        "issuer": f"{origin}/{issuer}/v2.0",
        "request_uri_parameter_supported": False,
        "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
        "device_authorization_endpoint": f"{base}/oauth2/v2.0/devicecode",
        "end_session_endpoint": f"{base}/oauth2/v2.0/logout",
        "tenant_region_scope": None,
        "cloud_instance_name": host.partition(".")[2],
        "msgraph_host": _GRAPHS.get(host, "graph.microsoft.com"),
    }


def instance_discovery(endpoint: str) -> dict[str, object] | None:
    """Say which hosts are Microsoft's; None: the host of ``endpoint`` is not among them."""
    pieces = urlsplit(endpoint)
    clouds = [(network, cache, {network, cache, *others}) for network, cache, others in _CLOUDS]
    if not any(pieces.hostname in aliases for _, _, aliases in clouds):
        return None
    segment = pieces.path.strip("/").partition("/")[0]
    return {
        "tenant_discovery_endpoint": f"https://{pieces.hostname}/{segment}/v2.0/.well-known/openid-configuration",
        "api-version": "1.1",
        "metadata": [
            {"preferred_network": network, "preferred_cache": cache, "aliases": sorted(aliases)}
            for network, cache, aliases in clouds
        ],
    }
