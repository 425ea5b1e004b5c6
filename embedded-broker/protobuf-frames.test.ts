import { describe, expect, it } from 'vitest'
import { encodedOnce, jsonCodec, protobufCodec } from './codec.ts'
import { MalformedFrame } from './frames.ts'
import { processorTime } from './processor-time-fixture.ts'
import { countProtobufCommands, protobufCommandsOf, protobufReply } from './protobuf-frames.ts'
import { CommandMessage, ReplyMessage, SubsEntry } from './protobuf-schema.ts'
import type { Reply } from './replies.ts'

const delimited = (bytes: Uint8Array) => {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7]
  return Buffer.concat([Buffer.from(length), bytes])
}
const command = (fields: object) => delimited(CommandMessage.fromJson(fields as never).toBinary())
const entry = (channel: string, wanted: object) =>
  Buffer.from(SubsEntry.fromJson({ channel, wanted } as never).toBinary()).toString('base64')
const commandsOf = (frame: Uint8Array) => [...protobufCommandsOf(frame)]

describe('a frame of protobuf', () => {
  it('is commands behind their lengths', () => {
    const frame = Buffer.concat([
      command({
        id: 1,
        connect: { token: 'a', subs: [entry('org:1', { recover: true, offset: 7, epoch: 'e' })] },
      }),
      command({ id: 2, subscribe: { channel: 'status:1:2', recover: true, offset: 3, epoch: 'e', flag: 3 } }),
      command({ id: 3, subRefresh: { channel: 'status:1:2', token: 'b' } }),
      command({ id: 4, presenceStats: { channel: 'org:1' } }),
      command({ send: {} }),
      command({}),
    ])
    expect(countProtobufCommands(frame)).toBe(6)
    expect(commandsOf(frame)).toMatchObject([
      { method: 'connect', id: 1, token: 'a', subs: new Map([['org:1', { epoch: 'e', offset: 7 }]]) },
      { method: 'subscribe', id: 2, since: { epoch: 'e', offset: 3 }, rejectsUnrecovered: true },
      { method: 'sub_refresh', id: 3, channel: 'status:1:2', token: 'b' },
      { method: 'presence_stats', id: 4, channel: 'org:1' },
      { method: 'send' },
      { method: 'pong' },
    ])
  })

  it('is read command by command: what is behind one that ends the connection is not read', () => {
    const [first] = protobufCommandsOf(Buffer.concat([command({ id: 1, rpc: {} }), Buffer.from([0x7f])]))
    expect(first).toMatchObject({ method: 'rpc', id: 1 })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an end before its time', Buffer.from([0x05, 0x08])],
    ['a length of more than there is', Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f])],
    ['a length without end', Buffer.alloc(120_000, 0xff)],
    ['no field', delimited(Buffer.from([0x00, 0x01]))],
    ['another kind of field', delimited(Buffer.from([0x0a, 0x01, 0x61]))],
    ['no UTF-8', delimited(Buffer.from([0x08, 1, 0x22, 3, 0x0a, 1, 0xff]))],
    ['an id and no method', command({ id: 1 })],
    ['a place that no number can hold', command({ id: 1, subscribe: { offset: '18446744073709551615' } })],
    ['JSON', Buffer.from('{"id":1,"connect":{}}')],
  ])('of %s is none', (_case, frame) => {
    expect(processorTime(() => expect(() => commandsOf(frame)).toThrow(MalformedFrame))).toBeLessThan(100)
  })

  it('has no command of more fields than a client sends', () => {
    const fields = (count: number) =>
      delimited(Buffer.from([0x08, 7, ...Array.from({ length: count - 1 }, () => [0x22, 0]).flat()]))
    expect(commandsOf(fields(64))).toMatchObject([{ method: 'connect', id: 7 }])
    expect(() => commandsOf(fields(65))).toThrow(MalformedFrame)
  })

  it('takes little time, whatever is in it', () => {
    const within = (bytes: Uint8Array) => {
      const { length } = bytes
      return Buffer.concat([
        Buffer.from([(length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14]),
        bytes,
      ])
    }
    const groups = Buffer.alloc(120_000, 0x1b)
    const channels = Buffer.concat(
      Array.from({ length: 20_000 }, (_, at) => Buffer.from([0x1a, 4, 0x0a, 2, at & 0x7f, (at >> 7) & 0x7f])),
    )
    const sameFields = Buffer.concat(Array.from({ length: 60_000 }, () => Buffer.from([0x22, 0])))
    const hostile = [
      within(groups),
      within(Buffer.concat([Buffer.from([0x08, 1, 0x22]), within(channels)])),
      within(sameFields),
    ]
    for (const frame of hostile)
      expect(
        processorTime(() => {
          try {
            commandsOf(frame)
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedFrame)
          }
        }),
      ).toBeLessThan(100)
  })
})

it('commands of a frame are counted, whatever is in it', () => {
  expect(countProtobufCommands(Buffer.alloc(131_072))).toBe(131_072)
  expect(countProtobufCommands(Buffer.from([0x05, 0x08]))).toBe(1)
  for (const frame of [Buffer.alloc(0), Buffer.alloc(60_000, 0xff)])
    expect(countProtobufCommands(frame)).toBe(0)
})

describe('a reply in protobuf', () => {
  const read = (reply: Reply) => {
    const bytes = protobufReply(reply)
    expect(bytes[0]).toBe(bytes.length - 1)
    return ReplyMessage.fromBinary(bytes.subarray(1)).toJson({ useProtoFieldName: true })
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  it('is empty for a ping, and has its method also where there is nothing in it', () => {
    expect([...protobufReply({})]).toEqual([0])
    expect(read({ id: 3, unsubscribe: {} })).toEqual({ id: 3, unsubscribe: {} })
  })

  it('holds what publishers gave as JSON, names of theirs like those of the protocol included', () => {
    const data = { data: { pub: null }, text: 'é' }
    expect(read({ push: { channel: 'org:1', pub: { data, offset: 2, tags: { data: 'x' } } } })).toEqual({
      push: {
        channel: 'org:1',
        pub: { data: base64('{"data":{"pub":null},"text":"é"}'), offset: '2', tags: { data: 'x' } },
      },
    })
    const publications = [{ data: 1 }, { data: null }]
    const missed = [{ data: base64('1') }, { data: base64('null') }]
    expect(read({ id: 1, subscribe: { publications } })).toEqual({
      id: 1,
      subscribe: { publications: missed },
    })
    expect(read({ id: 1, connect: { subs: { a: { publications } } } })).toEqual({
      id: 1,
      connect: { subs: { a: { publications: missed } } },
    })
  })

  it('goes out where a publisher gave tags that are no texts', () => {
    const pub = { data: 1, tags: { count: 2 } as unknown as Record<string, string> }
    expect(read({ push: { pub } })).toMatchObject({ push: { pub: { tags: { count: '2' } } } })
  })

  it('is encoded once for all who speak it', () => {
    const frameIn = encodedOnce({ push: { channel: 'org:1', pub: { data: 1 } } })
    expect(frameIn(protobufCodec)).toBe(frameIn(protobufCodec))
    expect(String(frameIn(jsonCodec))).toBe('{"push":{"channel":"org:1","pub":{"data":1}}}')
  })
})
