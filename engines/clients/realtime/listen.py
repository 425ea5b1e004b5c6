"""Connects as centrifuge-python does, says so, and tells the first event of a room's making. Argument: json or protobuf."""

import asyncio
import json
import os
import sys

from centrifuge import Client, ClientEventHandler


class Events(ClientEventHandler):
    def __init__(self):
        self.done = asyncio.get_running_loop().create_future()

    async def on_connected(self, context):
        print("connected", flush=True)

    async def on_publication(self, context):
        event = context.pub.data if isinstance(context.pub.data, dict) else json.loads(context.pub.data)
        if event["type"] == "room.created" and not self.done.done():
            self.done.set_result(event["data"]["name"])


async def main():
    events = Events()
    client = Client(os.environ["URL"], token=os.environ["TOKEN"], events=events, use_protobuf=sys.argv[1] == "protobuf")
    await client.connect()
    print("heard:", await asyncio.wait_for(events.done, 30), flush=True)
    await client.disconnect()


asyncio.run(main())
