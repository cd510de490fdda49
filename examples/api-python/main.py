"""A deployment API behind Latchkey, with Flask and Authlib. The API accepts opaque tokens and JWTs.

    pip install flask authlib requests
    ISSUER=http://localhost:3000/oauth IDENTIFIER=https://deployments.example.com API_ID=... API_SECRET=... python main.py
"""

import os

import requests
from authlib.jose import JsonWebKey, jwt
from authlib.jose.errors import JoseError
from flask import Flask, jsonify, request

ISSUER, IDENTIFIER = os.environ["ISSUER"], os.environ["IDENTIFIER"]
CREDENTIALS = (os.environ["API_ID"], os.environ["API_SECRET"])
METADATA = requests.get(f"{ISSUER}/.well-known/openid-configuration", timeout=10).json()


def load_keys():
    """Returns the key set of the issuer."""
    return JsonWebKey.import_key_set(requests.get(METADATA["jwks_uri"], timeout=10).json())


KEYS = load_keys()
CHECKS = {
    "iss": {"essential": True, "value": ISSUER},
    "aud": {"essential": True, "value": IDENTIFIER},
    "exp": {"essential": True},
}


def verify(token):
    """Returns the claims of a valid JWT for this API, or None for any other token."""
    global KEYS
    for attempt in range(2):
        try:
            claims = jwt.decode(token, KEYS, claims_options=CHECKS)
            claims.validate(leeway=5)
            return claims if claims.header.get("typ") == "at+jwt" else None
        except ValueError:  # The key is unknown, because the issuer has rotated its keys.
            KEYS = load_keys()
        except JoseError:
            return None
    return None


def introspect(token):
    """Introspects a token (RFC 7662). Returns the claims of an active one, or None."""
    answer = requests.post(METADATA["introspection_endpoint"], {"token": token}, auth=CREDENTIALS, timeout=10)
    answer.raise_for_status()
    claims = answer.json()
    return claims if claims["active"] else None


def claims_of(token):
    """Returns the claims of an active token for this API, or None."""
    if token.count(".") != 2:
        return introspect(token)
    claims = verify(token)
    details = (claims or {}).get("authorization_details", [])
    return introspect(token) if any(each["type"] == "incomplete" for each in details) else claims


def refuse(status, error=None):
    """Responds with an RFC 6750 error."""
    resource = f'resource_metadata="{IDENTIFIER}/.well-known/oauth-protected-resource"'
    challenge = f'Bearer error="{error}", {resource}' if error else f"Bearer {resource}"
    return jsonify(error=error or "unauthorized"), status, {"WWW-Authenticate": challenge}


app = Flask(__name__)


@app.post("/projects/<project_id>/deployments")
def deploy(project_id):
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        return refuse(401)
    claims = claims_of(token)
    if claims is None:
        return refuse(401, "invalid_token")
    details = claims.get("authorization_details", [])
    project = next((each for each in details if each.get("identifier") == project_id), None)
    scoped = "deployments:write" in claims["scope"].split(" ")
    if not scoped or project is None or project["role"] == "viewer":
        return refuse(403, "insufficient_scope")
    return jsonify(deployed=project["identifier"], by=claims["sub"]), 201


@app.get("/.well-known/oauth-protected-resource")
def metadata():
    """Returns the RFC 9728 document, which contains the address of the authorization server."""
    return jsonify(
        resource=IDENTIFIER,
        authorization_servers=[ISSUER],
        scopes_supported=["deployments:write"],
        bearer_methods_supported=["header"],
    )


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "4100"))
    print(f"Deployment API: http://127.0.0.1:{port}", flush=True)
    app.run(host="127.0.0.1", port=port)
