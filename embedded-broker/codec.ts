import { type Command, commandsOf } from './frames.ts'
import { countProtobufCommands, protobufCommandsOf, protobufReply } from './protobuf-frames.ts'
import type { Reply } from './replies.ts'

type Encoded = string | Uint8Array

/** One of the two encodings of Centrifugo's client protocol. */
export interface Codec {
  /** Of the frames that it writes; it reads both kinds. */
  isBinary: boolean
  /** The commands of one frame. @throws MalformedFrame */
  commandsOf(frame: Buffer): Iterable<Command>
  /** How many commands there are in a frame at most. */
  count(frame: Buffer): number
  encode(reply: Reply): Encoded
  /** One frame of several replies. */
  join(replies: readonly Encoded[]): Encoded
}

const NEW_LINE = 0x0a

export const jsonCodec: Codec = {
  isBinary: false,
  commandsOf: (frame) => commandsOf(frame.toString('utf8')),
  count(frame) {
    let lines = 1
    for (let at = frame.indexOf(NEW_LINE); at !== -1; at = frame.indexOf(NEW_LINE, at + 1)) lines += 1
    return lines
  },
  encode: (reply) => JSON.stringify(reply),
  join: (replies) => replies.join('\n'),
}

export const protobufCodec: Codec = {
  isBinary: true,
  commandsOf: protobufCommandsOf,
  count: countProtobufCommands,
  encode: protobufReply,
  join: (replies) => Buffer.concat(replies as Uint8Array[]),
}

/** The same for many: encoded once in each encoding that one of them speaks. */
export function encodedOnce(reply: Reply): (codec: Codec) => Buffer {
  const frames = new Map<Codec, Buffer>()
  return (codec) => {
    const frame = frames.get(codec) ?? Buffer.from(codec.encode(reply))
    frames.set(codec, frame)
    return frame
  }
}
