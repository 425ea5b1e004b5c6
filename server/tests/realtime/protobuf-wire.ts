import { INCOMING_FRAME_BYTES_MAX } from '@atrium/embedded-broker/connection.ts'
import { CommandMessage, ReplyMessage, SubsEntry } from '@atrium/embedded-broker/protobuf-schema.ts'
import { BinaryReader } from '@bufbuild/protobuf'
import type { Wire } from '../../src/ports/broker.conformance.ts'

/** Of a frame that is no JSON the bytes go out as they are: they are no protobuf either. */
export const protobufWire: Wire = {
  protocol: 'centrifuge-protobuf',
  encode(frame) {
    // what is too long stays so
    if (frame.length > INCOMING_FRAME_BYTES_MAX) return Buffer.from(frame as string)
    try {
      return Buffer.concat(
        String(frame)
          .split('\n')
          .map((line) => delimited(commandOf(line))),
      )
    } catch {
      return Buffer.from(frame as string)
    }
  },
  lines(frame) {
    const reader = new BinaryReader(frame)
    const lines: string[] = []
    while (reader.pos < reader.len) lines.push(JSON.stringify(replyOf(reader.bytes())))
    return lines
  },
}

function delimited(bytes: Uint8Array): Buffer {
  const length: number[] = []
  let left = bytes.length
  for (; left > 0x7f; left >>>= 7) length.push((left & 0x7f) | 0x80)
  return Buffer.concat([Buffer.from([...length, left]), bytes])
}

function commandOf(line: string): Uint8Array {
  const command = JSON.parse(line, (key, value: unknown) =>
    key === 'data' ? Buffer.from(JSON.stringify(value)).toString('base64') : value,
  ) as { connect?: { subs?: object } }
  const { connect } = command
  const subs = Object.entries(connect?.subs ?? {}).map(([channel, wanted]) =>
    Buffer.from(SubsEntry.fromJson({ channel, wanted }).toBinary()).toString('base64'),
  )
  const wanted = connect ? { ...command, connect: { ...connect, subs } } : command
  return CommandMessage.fromJson(wanted as never, { ignoreUnknownFields: true }).toBinary()
}

/** As JSON has it: what publishers gave in place of its bytes, offsets as numbers. */
function replyOf(bytes: Uint8Array): unknown {
  const reply = ReplyMessage.fromBinary(bytes, { readUnknownFields: false })
  return JSON.parse(JSON.stringify(reply.toJson({ useProtoFieldName: true })), (key, value: unknown) => {
    if (key === 'offset') return Number(value)
    return key === 'data' ? JSON.parse(Buffer.from(String(value), 'base64').toString()) : value
  }) as unknown
}
