"""Signs in with a mailed code, makes a room and lists the rooms with who is inside.

Over a client that is generated from the document that the office serves (README.md says how):
OFFICE=http://localhost:3000 EMAIL=ada@example.com python office.py
"""

import os

from atrium_client import Client
from atrium_client.api.authentication_and_session import finalize_magic_auth, sign_up
from atrium_client.api.organizations_and_invitations import create_organization
from atrium_client.api.real_time_rooms_guests_and_recording import create_room, list_rooms
from atrium_client.api.user_and_avatar import get_current_user
from atrium_client.models import (
    CreateOrganizationBody,
    CreateRoomBody,
    FinalizeMagicAuthBody,
    SignUpBody,
)


def done(response, also=()):
    """The parsed body of a success. A refusal has a sentence for people, and a word for programs."""
    if response.status_code < 300 or response.status_code in also:
        return response.parsed
    refusal = response.parsed
    raise SystemExit(f"{int(response.status_code)} {getattr(refusal, 'error', '')}: {getattr(refusal, 'message', '')}")


email = os.environ.get("EMAIL", "ada@example.com")
# keeps the cookie of the session, as a browser does
with Client(base_url=os.environ.get("OFFICE", "http://localhost:3000")) as office:
    done(sign_up.sync_detailed(client=office, body=SignUpBody(email=email)))
    body = FinalizeMagicAuthBody(email=email, code=input("Code: ").strip())
    done(finalize_magic_auth.sync_detailed(client=office, body=body))

    user = done(get_current_user.sync_detailed(client=office))
    if user.current_organization_id == "":
        founded = CreateOrganizationBody(name="Python")
        done(create_organization.sync_detailed(client=office, body=founded))
    # 409: it is there from the last time
    done(create_room.sync_detailed(client=office, body=CreateRoomBody(name="Kitchen")), also=[409])
    for room in done(list_rooms.sync_detailed(client=office)).rooms:
        inside = ", ".join(person.display_name for person in room.people)
        print(f"{room.name}: {inside or 'nobody'}, {room.guests} guests")
