"""Calls the API of a media server as backends in Python do: livekit-api, which speaks protobuf."""

import asyncio
import os

from livekit import api


async def main() -> None:
    async with api.LiveKitAPI(os.environ["MEDIA"], os.environ["KEY"], os.environ["SECRET"]) as server:
        rooms = server.room
        room = await rooms.create_room(api.CreateRoomRequest(name="python", metadata="tea"))
        listed = await rooms.list_rooms(api.ListRoomsRequest(names=["python"]))
        assert [one.sid for one in listed.rooms] == [room.sid]
        changed = await rooms.update_room_metadata(
            api.UpdateRoomMetadataRequest(room="python", metadata="coffee")
        )
        assert changed.metadata == "coffee"
        inside = await rooms.list_participants(api.ListParticipantsRequest(room="python"))
        assert list(inside.participants) == []
        await rooms.send_data(api.SendDataRequest(room="python", data=b"hello"))
        await refused("not_found", rooms.get_participant, api.RoomParticipantIdentity(room="python", identity="nobody"))
        await refused("not_found", rooms.remove_participant, api.RoomParticipantIdentity(room="python", identity="nobody"))
        await refused("invalid_argument", rooms.create_room, api.CreateRoomRequest())
        assert list((await server.egress.list_egress(api.ListEgressRequest(room_name="python"))).items) == []
        await rooms.delete_room(api.DeleteRoomRequest(room="python"))
        await refused("not_found", rooms.delete_room, api.DeleteRoomRequest(room="python"))
    print("all of it")


async def refused(code, call, request) -> None:
    try:
        await call(request)
    except api.TwirpError as error:
        assert error.code == code, error
    else:
        raise AssertionError(f"{code} was expected")


asyncio.run(main())
