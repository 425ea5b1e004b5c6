"""One walk by the client that openapi-generator makes for Python: in, oneself, a room made, listed, and refused in words."""

import json
import os

import atrium_office
from atrium_office.rest import ApiException

with atrium_office.ApiClient(atrium_office.Configuration(host=os.environ["OFFICE"])) as client:
    signed_in = atrium_office.AuthenticationAndSessionApi(client).dev_sign_in_without_preload_content(body={})
    session = next(one for one in signed_in.headers.getlist("set-cookie") if one.startswith("atrium_session="))
    client.configuration.api_key["session"] = session.split(";")[0]
    user = atrium_office.UserAndAvatarApi(client).get_current_user()
    rooms = atrium_office.RealTimeRoomsGuestsAndRecordingApi(client)
    wanted = atrium_office.CreateRoomRequest(name="A room of Python", seats=4)
    made = rooms.create_room(wanted).room
    assert made.id in [room.id for room in rooms.list_rooms().rooms]
    try:
        rooms.create_room(wanted)
        raise AssertionError("the same name twice")
    except ApiException as refused:
        assert (refused.status, json.loads(refused.body)["error"]) == (409, "room-exists"), refused
    print(f"walked: {user.email}, {made.name}, {made.seats} seats")
