"""Signs every operation in by itself, as the administrator of the developer's organization: what one of them ends
(signing out, switching) ends no other's session."""

import os
import unicodedata

import requests
import schemathesis

BASE_URL = os.environ["ATRIUM_URL"]
COOKIE = "atrium_session"

# Names of people and rooms are refused with them: controls, marks that turn text, private use, not assigned. The
# pattern of the document cannot say so in the subset that every generator reads.
HIDDEN = {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"}
# A name needs a letter, a number, a mark of punctuation or a symbol.
SEEN = {"L", "N", "P", "S"}
# Letters that show nothing: fillers of Hangul, of Khmer, the joiner of graphemes, selectors of variations.
FILLERS = set("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {chr(code) for code in range(0x180B, 0x1810)}


def may_be_a_name(text):
    categories = [unicodedata.category(character) for character in text]
    return (
        text == text.strip()
        and not any(category in HIDDEN for category in categories)
        and not any(character in FILLERS for character in text)
        and any(category[0] in SEEN for category in categories)
    )


def names_in(part):
    """Fields that the document says to be names, by their pattern."""
    if isinstance(part, list):
        return {name for inner in part for name in names_in(inner)}
    if not isinstance(part, dict):
        return set()
    fields = part.get("properties") or {}
    own = {name for name, schema in fields.items() if isinstance(schema, dict) and schema.get("pattern") == r"\S"}
    return own | {name for inner in part.values() for name in names_in(inner)}


NAMES = names_in(requests.get(f"{BASE_URL}/openapi.json", timeout=30).json()["paths"])
assert NAMES, "the document says of no field that it is a name"


@schemathesis.hook
def filter_body(context, body):
    return not isinstance(body, dict) or all(
        may_be_a_name(value) for name, value in body.items() if name in NAMES and isinstance(value, str) and value
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
