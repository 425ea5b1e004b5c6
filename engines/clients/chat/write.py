"""Writes to a colleague as backends in Python do: postgrest-py, with a token for the chat data."""

import os
import uuid

from postgrest import APIError, CountMethod, SyncPostgrestClient

chat = SyncPostgrestClient(os.environ["REST"]).auth(os.environ["TOKEN"])
content = os.environ["CONTENT"]

conversation = chat.rpc("open_dm", {"p_peer_user_id": int(os.environ["PEER"])}).execute().data[0]["conversation_id"]
message = {"conversation_id": conversation, "content": content, "client_message_id": str(uuid.uuid4())}
sent = chat.from_("messages").insert(message).execute().data[0]
assert sent["content"] == content, sent
assert chat.from_("messages").insert(message).execute().data[0]["message_id"] == sent["message_id"], "sent again, there once"

page = chat.rpc("get_conversation_messages", {"p_conversation_id": conversation}).execute().data
assert page[0]["message_id"] == sent["message_id"], page
mine = chat.from_("messages").select("message_id, content", count=CountMethod.exact)
rows = mine.eq("conversation_id", conversation).order("message_id", desc=True).limit(1).execute()
assert rows.data == [{"message_id": sent["message_id"], "content": content}], rows
assert rows.count and rows.count >= 1, rows
one = chat.from_("messages").select("content").eq("message_id", sent["message_id"]).single().execute()
assert one.data == {"content": content}, one


def refused(code, question):
    try:
        question.execute()
    except APIError as error:
        assert error.code == code, error
    else:
        raise AssertionError(f"{code} was expected")


refused("23514", chat.from_("messages").insert({"conversation_id": conversation, "content": " "}))
refused("42501", chat.from_("messages").insert({"conversation_id": 9_000_000_000, "content": "Anybody?"}))
refused("PGRST116", chat.from_("messages").select("content").eq("message_id", 0).single())
print("all of it:", conversation)
