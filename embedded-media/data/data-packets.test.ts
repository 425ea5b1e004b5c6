import { DataPacket, SpeakerInfo } from '@livekit/protocol'
import { describe, expect, it } from 'vitest'
import type { Person } from '../messages.ts'
import { notice, packetOf, packetOfServer } from './data-packets.ts'

const person = (identity: string) => ({ identity, sid: `PA_${identity}` }) as Person
const [ada, grace, alan] = [person('ada'), person('grace'), person('alan')]
const said = (user: object, more: object = {}) =>
  packetOf(
    ada,
    Buffer.from(new DataPacket({ ...more, value: { case: 'user', value: user as never } }).toBinary()),
  )
const receivers = (packet: ReturnType<typeof said>) =>
  [grace, alan].filter((one) => packet?.isFor(one)).map(({ identity }) => identity)

describe('a packet of data', () => {
  it('is by the one who sends it, wherever clients look', () => {
    const forged = { participantIdentity: 'grace', participantSid: 'PA_grace' }
    const { packet } = said({ ...forged, payload: Buffer.from('hello') }, forged) ?? {}
    expect(packet).toMatchObject({ participantIdentity: 'ada', participantSid: 'PA_ada' })
    expect(packet?.value.value).toMatchObject({ participantIdentity: 'ada', participantSid: 'PA_ada' })
  })

  it('is for all, or for those who are named: in the place of today, and in those of older clients', () => {
    expect(receivers(said({}))).toEqual(['grace', 'alan'])
    expect(receivers(said({}, { destinationIdentities: ['grace'] }))).toEqual(['grace'])
    expect(receivers(said({ destinationIdentities: ['alan'] }))).toEqual(['alan'])
    expect(receivers(said({ destinationSids: ['PA_alan'] }))).toEqual(['alan'])
    expect(receivers(said({}, { destinationIdentities: ['nobody'] }))).toEqual([])
  })

  it('cannot pass for what the server says, and is not longer than LiveKit takes', () => {
    expect(packetOf(ada, Buffer.from(notice('The office is closed').toBinary()))).toBeUndefined()
    const speakers = new DataPacket({
      value: { case: 'speaker', value: { speakers: [new SpeakerInfo()] } as never },
    })
    expect(packetOf(ada, Buffer.from(speakers.toBinary()))).toBeUndefined()
    expect(packetOf(ada, Buffer.alloc(64, 0xff))).toBeUndefined()
    expect(said({ payload: Buffer.alloc(70_000) })).toBeUndefined()
    expect(said({ payload: Buffer.alloc(60_000) })).toBeDefined()
  })

  it('of the server is from no participant, and for all or for those who are named', () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const of = (more: object) =>
      packetOfServer({
        ...{ payload: base64('hello'), nonce: base64('once'), topic: 'chat', kind: 'lossy' },
        ...{ identities: [], sids: [], ...more },
      })
    const { packet, isForAll } = of({})
    expect(isForAll).toBe(true)
    expect(packet).toMatchObject({ participantIdentity: '', participantSid: '', kind: 1 })
    expect(packet.value.value).toMatchObject({
      payload: Buffer.from('hello'),
      nonce: Buffer.from('once'),
      topic: 'chat',
    })
    expect(receivers(of({ identities: ['grace'] }))).toEqual(['grace'])
    expect(receivers(of({ sids: ['PA_alan'] }))).toEqual(['alan'])
    expect(receivers(of({ identities: ['nobody'] }))).toEqual([])
  })
})
