import {
  type AnyMessage,
  BinaryReader,
  BinaryWriter,
  type JsonValue,
  type MessageType,
} from '@bufbuild/protobuf'
import { type Command, commandFrom, MalformedFrame } from './frames.ts'
import type { Publication } from './history.ts'
import { CommandMessage, ReplyMessage, SubsEntry } from './protobuf-schema.ts'
import type { Reply, Subscribed } from './replies.ts'

/** As Centrifugo: a text that is no UTF-8 is no text. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const READING = {
  readUnknownFields: false,
  readerFactory: (bytes: Uint8Array) => new BinaryReader(bytes, UTF8),
}

/** A command has an id and a method: one that repeats them is merged again each time, 130 ms of processor for a frame. */
const FIELDS_MAX = 64
/** Positions in one `connect`: as many as JSON may have values for. A client has 512 channels at most. */
const SUBS_MAX = 2_500
const NO_POSITION = { recover: false } as unknown as AnyMessage

/**
 * Reads the length-prefixed commands of one frame lazily: a consumer that stops at the first leaves the rest unread.
 * @throws MalformedFrame
 */
export function* protobufCommandsOf(frame: Uint8Array): Generator<Command> {
  if (frame.length === 0) throw new MalformedFrame()
  const reader = new BinaryReader(frame)
  while (reader.pos < reader.len) {
    const command = nextOf(reader)
    boundFields(command)
    yield commandFrom(fieldsOf(messageOf(CommandMessage, command)))
  }
}

/** How many commands there are in a frame, without a look at any of them. */
export function countProtobufCommands(frame: Uint8Array): number {
  const reader = new BinaryReader(frame)
  let count = 0
  try {
    for (; reader.pos < reader.len; count += 1) {
      const length = reader.uint32()
      reader.pos += length
    }
  } catch {
    // the length that breaks off is one that is never read
  }
  return count
}

/** One reply behind its length. What publishers gave is the text of its JSON. */
export function protobufReply(reply: Reply): Uint8Array {
  const bytes = ReplyMessage.fromJson(wireForm(reply)).toBinary()
  return new BinaryWriter().bytes(bytes).finish()
}

function nextOf(reader: BinaryReader): Uint8Array {
  try {
    return reader.bytes()
  } catch {
    throw new MalformedFrame()
  }
}

/** @throws MalformedFrame: a command of more fields than any client sends is not read */
function boundFields(command: Uint8Array): void {
  const reader = new BinaryReader(command)
  try {
    for (let count = 0; reader.pos < reader.len; count += 1) {
      if (count === FIELDS_MAX) throw new MalformedFrame()
      const [, type] = reader.tag()
      reader.skip(type)
    }
  } catch {
    throw new MalformedFrame()
  }
}

function messageOf(form: MessageType<AnyMessage>, bytes: Uint8Array): AnyMessage {
  try {
    return form.fromBinary(bytes, READING)
  } catch {
    throw new MalformedFrame()
  }
}

/** With the names that they have in JSON. */
function fieldsOf(command: AnyMessage): Record<string, unknown> {
  const { connect, subscribe, presenceStats, subRefresh, ...others } = command
  return {
    ...others,
    presence_stats: presenceStats,
    sub_refresh: subRefresh,
    subscribe: subscribe && withNumbers(subscribe),
    connect: connect && { ...connect, subs: positionsOf(connect.subs) },
  }
}

/** @throws MalformedFrame: of more than any client has, none is read */
function positionsOf(entries: readonly Uint8Array[]): Record<string, unknown> {
  if (entries.length > SUBS_MAX) throw new MalformedFrame()
  const subs = entries.map((entry) => {
    const { channel, wanted } = messageOf(SubsEntry, entry)
    return [channel, withNumbers(wanted ?? NO_POSITION)]
  })
  return Object.fromEntries(subs)
}

function withNumbers(request: AnyMessage): Record<string, unknown> {
  return { ...request, offset: Number(request.offset ?? 0), flag: Number(request.flag ?? 0) }
}

/** The form of JSON that protobuf has: bytes are base64 there. */
function wireForm(reply: Reply): JsonValue {
  const { push, connect, subscribe } = reply
  const pub = push?.pub
  return {
    ...reply,
    ...(pub ? { push: { ...push, pub: publicationForm(pub) } } : {}),
    ...(subscribe ? { subscribe: subscribedForm(subscribe) } : {}),
    ...(connect?.subs ? { connect: { ...connect, subs: subsForm(connect.subs) } } : {}),
  } as JsonValue
}

function subsForm(subs: Readonly<Record<string, Subscribed>>): object {
  return Object.fromEntries(
    Object.entries(subs).map(([channel, subscribed]) => [channel, subscribedForm(subscribed)]),
  )
}

function subscribedForm(subscribed: Subscribed): object {
  const { publications } = subscribed
  return publications ? { ...subscribed, publications: publications.map(publicationForm) } : subscribed
}

function publicationForm({ data, tags, ...rest }: Publication): object {
  const texts = tags && Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, String(value)]))
  return {
    ...rest,
    data: Buffer.from(JSON.stringify(data)).toString('base64'),
    ...(texts ? { tags: texts } : {}),
  }
}
