"""What a program in Python does with LiveKit's SDK: two people in a room of the office hear, see, write and call each other."""

import asyncio
import os

from livekit import rtc

WITHIN = 30
TONE = rtc.AudioFrame(b"\x10\x27" * 480, 48_000, 1, 480)
GREY = rtc.VideoFrame(320, 240, rtc.VideoBufferType.I420, bytes([128]) * (320 * 240 * 3 // 2))


class Heard:
    """What arrives at one of them."""

    def __init__(self, room: rtc.Room) -> None:
        self.sound = asyncio.Event()
        self.pictures = asyncio.Event()
        self.said = set()
        self.reading = []
        room.on("track_subscribed", self.read)
        room.on("data_received", lambda packet: self.said.add(packet.data.decode()))

    def read(self, track, *_) -> None:
        is_sound = track.kind == rtc.TrackKind.KIND_AUDIO
        stream = rtc.AudioStream(track) if is_sound else rtc.VideoStream(track)
        self.reading.append(asyncio.create_task(self.until(stream, self.sound if is_sound else self.pictures, is_sound)))

    async def until(self, stream, arrived: asyncio.Event, is_sound: bool) -> None:
        async for event in stream:
            # silence is made up where nothing arrives
            if not is_sound or any(event.frame.data):
                arrived.set()


async def enter(token: str) -> tuple[rtc.Room, Heard]:
    room = rtc.Room()
    heard = Heard(room)
    await room.connect(os.environ["URL"], token)
    return room, heard


async def publish(room: rtc.Room) -> asyncio.Task:
    sound, pictures = rtc.AudioSource(48_000, 1), rtc.VideoSource(320, 240)
    microphone = rtc.LocalAudioTrack.create_audio_track("microphone", sound)
    camera = rtc.LocalVideoTrack.create_video_track("camera", pictures)
    await room.local_participant.publish_track(microphone, rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE))
    await room.local_participant.publish_track(camera, rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_CAMERA, simulcast=False))

    async def go_on() -> None:
        while True:
            for _ in range(10):
                await sound.capture_frame(TONE)
            pictures.capture_frame(GREY)

    return asyncio.create_task(go_on())


async def say(room: rtc.Room, heard: Heard, text: str) -> None:
    """A data channel opens later than its connection: what was said before is said again."""
    while text not in heard.said:
        await room.local_participant.publish_data(text)
        await asyncio.sleep(0.5)


async def main() -> None:
    (ada, adas), (grace, graces) = await enter(os.environ["ADA"]), await enter(os.environ["GRACE"])
    publishing = await publish(ada), await publish(grace)
    for heard in (adas, graces):
        await heard.sound.wait()
        await heard.pictures.wait()
    await say(ada, graces, "from Ada")
    await say(grace, adas, "from Grace")
    grace.local_participant.register_rpc_method("greet", lambda call: f"Hello, {call.payload}")
    answer = await ada.local_participant.perform_rpc(
        destination_identity=grace.local_participant.identity, method="greet", payload="Ada"
    )
    assert answer == "Hello, Ada", answer
    for task in publishing:
        task.cancel()
    await ada.disconnect()
    await grace.disconnect()
    print("all of it", flush=True)


asyncio.run(asyncio.wait_for(main(), 3 * WITHIN))
