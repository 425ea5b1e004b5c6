import { describe, expect, it } from 'vitest'
import { decodeSignal, encodeSignal, type RoomSignal, reactions } from './room-signal.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('what clients tell each other', () => {
  it.each<RoomSignal>([
    { topic: 'atrium.hand', raised: true, since: 1_790_000_000_000 },
    { topic: 'atrium.hand', raised: false, since: 0 },
    { topic: 'atrium.hands-asked' },
    ...reactions.map((reaction) => ({ topic: 'atrium.reaction' as const, reaction })),
  ])('comes out as it went in: %o', (signal) => {
    const { topic, payload } = encodeSignal(signal)
    expect(decodeSignal(topic, payload)).toEqual(signal)
  })

  it('is nothing where another program talks, or nonsense', () => {
    expect(decodeSignal('lk.chat', bytes('{"reaction":"clap"}'))).toBeUndefined()
    expect(decodeSignal(undefined, bytes('{}'))).toBeUndefined()
    expect(decodeSignal('atrium.reaction', bytes('{"reaction":"<b>"}'))).toBeUndefined()
    expect(decodeSignal('atrium.reaction', bytes('null'))).toBeUndefined()
    expect(decodeSignal('atrium.hand', bytes('{"raised":"yes","since":1}'))).toBeUndefined()
    expect(decodeSignal('atrium.hand', bytes('{"raised":true,"since":"now"}'))).toBeUndefined()
    expect(decodeSignal('atrium.hand', bytes('{'))).toBeUndefined()
    expect(decodeSignal('atrium.hands-asked', new Uint8Array(1_000))).toBeUndefined()
  })
})
