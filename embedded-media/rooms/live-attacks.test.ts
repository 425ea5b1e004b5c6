import { once } from 'node:events'
import { connect } from 'node:net'
import { SignalRequest } from '@livekit/protocol'
import type { VideoGrant } from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectSignals, openLiveMedia, tokenFor, until } from '../live-media-fixture.ts'

const PEOPLE = 4

let media: Awaited<ReturnType<typeof openLiveMedia>>
let room: string
let made = 0

beforeAll(async () => {
  media = await openLiveMedia({ cameras: 4, people: PEOPLE, waiting: 20 })
})

beforeEach(async () => {
  media.told.length = 0
  made += 1
  room = `room ${made}`
  await media.rooms.createRoom({ name: room })
})

afterAll(() => media.close())

async function enter(identity: string, grant: VideoGrant = {}) {
  return await connectSignals(media.baseUrl, await tokenFor(room, identity, grant))
}

const inside = async () => (await media.rooms.listParticipants(room)).map(({ identity }) => identity)

/** A request that is written by hand. */
async function ask(identity: string, headers: string) {
  const socket = connect(media.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const token = await tokenFor(room, identity)
  socket.write(
    `GET /rtc?access_token=${token} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`,
  )
  return socket
}

const answers = async (client: Awaited<ReturnType<typeof enter>>) => {
  client.send({ case: 'ping', value: 1n })
  const before = client.all('pong').length
  await until(async () => client.all('pong').length > before)
}

describe('whoever asks to come in', () => {
  it('and sends no handshake of a WebSocket is not inside, and takes nobody the place', async () => {
    await enter('ada')
    const socket = await ask('mallory', 'Sec-WebSocket-Version: 13\r\n')
    await once(socket.resume(), 'close')
    await until(async () => (await inside()).join() === 'ada')
    await until(async () => media.told.some(({ event }) => event === 'participant_connection_aborted'))
  })

  it('and is gone before they are let in is not inside', async () => {
    await enter('ada')
    for (let time = 0; time < 20; time += 1) {
      const socket = await ask(
        `mallory-${time}`,
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
      )
      socket.resetAndDestroy()
    }
    await until(async () => (await inside()).join() === 'ada')
    await enter('grace')
  })

  it('at the same time as others finds no more places than there are', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 4 * PEOPLE }, (_, at) => tokenFor(room, `person-${at}`)),
    )
    await Promise.allSettled(tokens.map((token) => connectSignals(media.baseUrl, token)))
    expect(await inside()).toHaveLength(PEOPLE)
  })

  it('while the process is away is not inside, and can ask again', async () => {
    await enter('ada')
    media.media.live?.kill()
    await until(async () =>
      media.rooms.listRooms().then(
        () => false,
        ({ code }) => code === 'unavailable',
      ),
    )
    await Promise.allSettled(['1', '2', '3'].map((identity) => enter(identity)))
    await until(async () =>
      media.rooms.listRooms().then(
        () => true,
        () => false,
      ),
    )
    const grace = await enter('grace')
    await answers(grace)
    await until(async () => (await inside()).join() === 'grace')
  })
})

describe('whoever is inside', () => {
  it('cannot have much said of a track, which everybody would be sent again and again', async () => {
    const [ada, mallory] = [await enter('ada'), await enter('mallory')]
    const long = 'x'.repeat(200_000)
    for (const more of [{ name: long }, { stream: long }, { cid: long }])
      mallory.send({
        case: 'addTrack',
        value: { cid: 'a', type: 0, source: 2, name: '', ...more } as never,
      })
    await until(async () => mallory.all('requestResponse').length === 3)
    expect(mallory.all('requestResponse').map(({ value }) => value.reason)).toEqual([3, 3, 3])
    expect(mallory.first('trackPublished')).toBeUndefined()
    await answers(ada)
  })

  it('cannot have more said of them than LiveKit allows', async () => {
    const mallory = await enter('mallory', { canUpdateOwnMetadata: true })
    const parts = [{ a: 'x'.repeat(40_000) }, { b: 'x'.repeat(40_000) }]
    for (const attributes of parts)
      mallory.send({ case: 'updateMetadata', value: { attributes, name: '', metadata: '' } as never })
    mallory.send({ case: 'updateMetadata', value: { name: 'x'.repeat(300), metadata: '' } as never })
    await until(async () => mallory.all('requestResponse').length === 3)
    expect(mallory.all('requestResponse').map(({ value }) => value.reason)).toEqual([0, 3, 3])
    const [{ attributes, name } = {}] = await media.rooms.listParticipants(room)
    expect([Object.keys(attributes ?? {}), name]).toEqual([['a'], ''])
  })

  const sdp = (lines: string, times: number) => `v=0\r\n${lines.repeat(times)}`
  it.each([
    ['thousands of sections', sdp('m=audio 9 RTP 0\r\n', 4_000)],
    ['thousands of candidates', sdp('a=candidate:1\r\n', 4_000)],
    ['thousands of layers', sdp('a=rid:a\r\n', 8_000)],
    ['nothing but one line', `v=0\r\ns=${'a'.repeat(200_000)}`],
  ])('and describes %s is put out, and the others notice nothing', async (_what, text) => {
    const [ada, mallory] = [await enter('ada'), await enter('mallory')]
    mallory.send({ case: 'offer', value: { type: 'offer', sdp: text, id: 1 } as never })
    await answers(ada)
    await until(async () => mallory.closed() !== undefined)
    expect(mallory.first('leave')?.value.reason).toBe(6)
    await until(async () => (await inside()).join() === 'ada')
  })

  it('and makes offer after offer without an answer is put out', async () => {
    const [ada, mallory] = [await enter('ada'), await enter('mallory')]
    const line = 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:0\r\n'
    const offer = { type: 'offer', sdp: `v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n${line}` } as never
    const bytes = new SignalRequest({ message: { case: 'offer', value: offer } }).toBinary()
    for (let time = 0; time < 100; time += 1) mallory.ws.send(bytes)
    await until(async () => mallory.closed() !== undefined)
    await answers(ada)
  })
})

/** Valid, and as much work as a description may make. */
function offerOf(sections: number): string {
  const mids = Array.from({ length: sections }, (_, at) => at)
  const section = (mid: number) =>
    [
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      'c=IN IP4 0.0.0.0',
      'a=ice-ufrag:abcd',
      'a=ice-pwd:abcdefghijklmnopqrstuvwx',
      `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AA').join(':')}`,
      'a=setup:actpass',
      `a=mid:${mid}`,
      `a=msid:- ${'t'.repeat(1_000)}${mid}`,
      'a=sendonly',
      'a=rtcp-mux',
      'a=rtpmap:111 opus/48000/2',
    ].join('\r\n')
  const head = `v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=group:BUNDLE ${mids.join(' ')}\r\n`
  return `${head}${mids.map(section).join('\r\n')}\r\n`
}

describe('whoever makes offers', () => {
  const waits = { canPublish: false, canSubscribe: false, hidden: true }
  const offer = (id: number) =>
    ({ case: 'offer', value: { type: 'offer', sdp: offerOf(90), id } }) as SignalRequest['message']

  it('and may not publish has none of them read, and stays', async () => {
    const guest = await enter('guest:1', waits)
    expect(guest.first('join')?.value.subscriberPrimary).toBe(true)
    for (let id = 1; id <= 8; id += 1) guest.send(offer(id))
    guest.send({ case: 'trickle', value: { candidateInit: '{"candidate":""}', target: 0 } as never })
    await answers(guest)
    expect(guest.first('answer')).toBeUndefined()
    expect(guest.closed()).toBeUndefined()
    // media goes to them by the connection that the server offers
    expect(guest.first('offer')).toBeDefined()
    const permission = { canPublish: true, canSubscribe: true, hidden: false }
    await media.rooms.updateParticipant(room, 'guest:1', { permission })
    await until(async () => guest.first('refreshToken') !== undefined)
    guest.send({ case: 'offer', value: { type: 'offer', sdp: offerOf(1), id: 9 } as never })
    await until(async () => guest.first('answer') !== undefined)
  })

  it('and may publish has so many bytes of them read in a time, and others are answered meanwhile', async () => {
    const enteredAt = performance.now()
    const [ada, mallory] = [await enter('ada'), await enter('mallory')]
    expect(ada.first('join')?.value.subscriberPrimary).toBe(false)
    // a few at a time: more wait in no row
    for (const last of [5, 10]) {
      for (let id = last - 4; id <= last; id += 1) mallory.send(offer(id))
      await until(async () => mallory.all('answer').length === last)
    }
    for (let id = 11; id <= 20; id += 1) mallory.send(offer(id))
    for (let pings = 0; pings < 3; pings += 1) await answers(ada)
    await until(async () => mallory.all('answer').length === 20)
    // two mebibytes at once, then 64 KiB a second, and the last one waits for those before it: a slow machine only takes longer
    const beyondAtOnce = 19 * offerOf(90).length - 2 * 1024 * 1024
    expect(beyondAtOnce).toBeGreaterThan(0)
    expect(performance.now() - enteredAt).toBeGreaterThan((beyondAtOnce * 1_000) / (64 * 1024))
    expect(mallory.closed()).toBeUndefined()
  })
})
