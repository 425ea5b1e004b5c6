"""Signs every operation in by itself, as the administrator of the developer's organization: what one of them ends
(signing out, switching) ends no other's session."""

import os
import unicodedata

import requests
import schemathesis

BASE_URL = os.environ["ATRIUM_URL"]
COOKIE = "atrium_session"

# Of private use, or not assigned: names of people and rooms are refused with them. The pattern of the document cannot
# say so: a generator builds hardly any value from a class without all of these.
NO_CHARACTER = {"Co", "Cn"}


@schemathesis.hook
def filter_body(context, body):
    return not isinstance(body, dict) or not any(
        unicodedata.category(character) in NO_CHARACTER
        for value in body.values()
        if isinstance(value, str)
        for character in value
    )


if os.environ.get("ATRIUM_CALLER") == "administrator":

    @schemathesis.auth(cache_by_key=lambda case, context: context.operation.label, refresh_interval=60)
    class Administrator:
        def get(self, case, context):
            reply = requests.post(f"{BASE_URL}/auth/dev-sign-in", json={}, timeout=30)
            reply.raise_for_status()
            return reply.cookies[COOKIE]

        def set(self, case, data, context):
            case.cookies = {**(case.cookies or {}), COOKIE: data}
