"""Signs every operation in by itself, as the administrator of the developer's organization: what one of them ends
(signing out, switching) ends no other's session."""

import os

import requests
import schemathesis

BASE_URL = os.environ["ATRIUM_URL"]
COOKIE = "atrium_session"


if os.environ.get("ATRIUM_CALLER") == "administrator":

    @schemathesis.auth(cache_by_key=lambda case, context: context.operation.label, refresh_interval=60)
    class Administrator:
        def get(self, case, context):
            reply = requests.post(f"{BASE_URL}/auth/dev-sign-in", json={}, timeout=30)
            reply.raise_for_status()
            return reply.cookies[COOKIE]

        def set(self, case, data, context):
            case.cookies = {**(case.cookies or {}), COOKIE: data}
