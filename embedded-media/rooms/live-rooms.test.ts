import { once } from 'node:events'
import { SignalRequest } from '@livekit/protocol'
import { decodeJwt } from 'jose'
import { compareVersions } from 'livekit-client'
import { EncodedFileOutput, type RoomServiceClient, type VideoGrant } from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { connectSignals, openLiveMedia, SECRET, tokenFor, until } from '../live-media-fixture.ts'

let media: Awaited<ReturnType<typeof openLiveMedia>>
let baseUrl: string
let rooms: RoomServiceClient
let room: string
let made = 0

/** One office's stand-in with its process, for all: what each does is in a room of its own. */
beforeAll(async () => {
  media = await openLiveMedia({ cameras: 1, people: 2, waiting: 1 })
  ;({ baseUrl, rooms } = media)
})

beforeEach(async () => {
  media.told.length = 0
  made += 1
  room = `room ${made}`
  await rooms.createRoom({ name: room })
})

afterAll(() => media.close())

const tokenOf = (identity: string, grant: VideoGrant = {}, secret = SECRET) =>
  tokenFor(room, identity, grant, { secret })

async function validate(token: string, path = '/rtc') {
  const response = await fetch(`${baseUrl}${path}/validate?access_token=${token}`)
  return [response.status, await response.text()]
}

const enterWith = (token: string, more = '') => connectSignals(baseUrl, token, more)

async function enter(identity: string, grant: VideoGrant = {}, more = '') {
  return await enterWith(await tokenOf(identity, grant), more)
}

const inside = async () => (await rooms.listParticipants(room)).map(({ identity }) => identity)

describe('who may come in', () => {
  it('is asked before the client connects, and told in words', async () => {
    expect(await validate(await tokenOf('42'))).toEqual([200, 'success'])
    expect(await validate('')).toEqual([401, 'permission denied: no token'])
    expect(await validate(await tokenOf('42', {}, 'another-secret'))).toEqual([
      401,
      'invalid authorization token',
    ])
    expect(await validate(await tokenOf('42', { roomJoin: false }))).toEqual([401, 'permissions denied'])
    expect(await validate(await tokenOf('42', { room: 'nowhere' }))).toEqual([
      404,
      'requested room does not exist',
    ])
  })

  it('is told at the newer path what is lacking, and where it is refused', async () => {
    expect(await validate(await tokenOf('42'), '/rtc/v1')).toEqual([
      400,
      expect.stringContaining('join_request is required'),
    ])
    expect(await validate('', '/rtc/v1')).toEqual([401, 'permission denied: no token'])
    const ws = new WebSocket(`${baseUrl.replace('http', 'ws')}/rtc/v1?access_token=${await tokenOf('42')}`)
    const [error] = (await once(ws, 'error')) as [Error]
    expect(error.message).toContain('400')
  })

  it('is told so on pages of any origin, as LiveKit does', async () => {
    const tokens = [await tokenOf('42'), await tokenOf('42', {}, 'another-secret'), '']
    for (const path of ['/rtc', '/rtc/v1'])
      for (const token of tokens) {
        const response = await fetch(`${baseUrl}${path}/validate?access_token=${token}`)
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
      }
  })

  it('hears of a server whose chat is text streams, not messages that are edited', async () => {
    const { version = '' } = (await enter('1')).first('join')?.value.serverInfo ?? {}
    expect(compareVersions(version, '1.8.2')).toBeGreaterThan(0)
    // above it the client sends layers in one stream, which are not read here
    expect(compareVersions(version, '1.13.6')).toBeLessThan(0)
  })

  it('finds a full room full, and those who are inside may come back', async () => {
    await enter('1')
    await enter('2')
    expect(await validate(await tokenOf('3'))).toEqual([403, expect.stringContaining('This room is full')])
    expect(await validate(await tokenOf('2'))).toEqual([200, 'success'])
  })
})

describe('those who wait', () => {
  const waiting = { canPublish: false, canSubscribe: false, hidden: true }
  const isFull = [403, expect.stringContaining('This room is full')]

  it('keep nobody out but others who wait', async () => {
    await enter('guest:1', waiting)
    expect(await validate(await tokenOf('guest:2', waiting))).toEqual(isFull)
    await enter('1')
    expect(await validate(await tokenOf('2'))).toEqual([200, 'success'])
    await enter('2')
    expect(await validate(await tokenOf('3'))).toEqual(isFull)
    // a page that is loaded again
    expect(await validate(await tokenOf('guest:1', waiting))).toEqual([200, 'success'])
    expect((await inside()).sort()).toEqual(['1', '2', 'guest:1'])
  })

  it('have a place when they are let in, and leave theirs to the next who waits', async () => {
    await enter('1')
    await enter('guest:1', waiting)
    const permission = { canPublish: true, canSubscribe: true, hidden: false }
    await rooms.updateParticipant(room, 'guest:1', { permission })
    expect(await validate(await tokenOf('2'))).toEqual(isFull)
    expect(await validate(await tokenOf('guest:2', waiting))).toEqual([200, 'success'])
  })
})

describe('those who wait are told of nobody', () => {
  const waiting = { canPublish: false, canSubscribe: false, hidden: true }
  const known = (client: Awaited<ReturnType<typeof enter>>) => {
    const updates = client.all('connectionQuality').flatMap(({ value }) => value.updates)
    const others = client.first('join')?.value.otherParticipants ?? []
    return {
      identities: [...others.map(({ identity }) => identity), ...client.others()],
      sids: updates.map(({ participantSid }) => participantSid),
      counts: [
        client.first('join')?.value.room?.numParticipants,
        ...client.all('roomUpdate').map(({ value }) => value.room?.numParticipants),
      ],
    }
  }

  it('neither when they come, nor when others come, change and go, nor when they come back', async () => {
    const ada = await enter('ada', { canUpdateOwnMetadata: true })
    const guest = await enter('guest:1', waiting)
    const grace = await enter('grace')
    ada.send({ case: 'updateMetadata', value: { name: 'Ada', metadata: '', attributes: {} } as never })
    await until(async () => grace.all('update').some(({ value }) => value.participants[0]?.name === 'Ada'))
    grace.ws.close()
    await until(async () => !(await inside()).includes('grace'))
    await rooms.updateRoomMetadata(room, '{"topic":"tea"}')
    await until(async () => guest.first('roomUpdate') !== undefined)
    await until(async () => guest.first('connectionQuality') !== undefined)
    const sid = guest.first('join')?.value.participant?.sid
    const again = await enter('guest:1', waiting, `&reconnect=1&sid=${sid}`)
    await until(async () => again.first('roomUpdate') !== undefined)
    for (const client of [guest, again]) {
      const { identities, sids, counts } = known(client)
      expect(identities.filter((identity) => identity !== 'guest:1')).toEqual([])
      expect(sids.filter((one) => one !== sid)).toEqual([])
      expect(new Set(counts.filter((count) => count !== undefined))).toEqual(new Set([1]))
    }
    expect(ada.others()).not.toContain('guest:1')
  })

  it('and of everybody once they are let in', async () => {
    const ada = await enter('ada')
    const guest = await enter('guest:1', waiting)
    const permission = { canPublish: true, canSubscribe: true, hidden: false }
    await rooms.updateParticipant(room, 'guest:1', { permission })
    await until(async () => guest.others().includes('ada'))
    await until(async () => guest.all('roomUpdate').at(-1)?.value.room?.numParticipants === 2)
    await until(async () => ada.others().includes('guest:1'))
  })
})

describe('a room with real connections', () => {
  it('tells each of the others, and of nobody who is hidden', async () => {
    const ada = await enter('ada')
    expect(ada.first('join')?.value.otherParticipants).toEqual([])
    const grace = await enter('grace', { hidden: true, canPublish: false })
    expect(grace.first('join')?.value.otherParticipants.map(({ identity }) => identity)).toEqual(['ada'])
    expect((await inside()).sort()).toEqual(['ada', 'grace'])
    expect(ada.others()).toEqual([])
    const permission = { canPublish: true, canSubscribe: true, hidden: false }
    await rooms.updateParticipant(room, 'grace', { permission })
    await until(async () => ada.others().includes('grace'))
    await until(async () =>
      (grace.first('update')?.value.participants ?? []).some((one) => one.permission?.canPublish === true),
    )
  })

  it('says why somebody is put out, and the office is told of who never had media', async () => {
    const ada = await enter('ada')
    await rooms.removeParticipant(room, 'ada')
    await until(async () => ada.closed() !== undefined)
    expect(ada.first('leave')?.value.reason).toBe(4)
    await until(async () => media.told.some(({ event }) => event === 'participant_connection_aborted'))
    expect(media.told.at(-1)?.participant).toMatchObject({
      identity: 'ada',
      disconnectReason: 'PARTICIPANT_REMOVED',
    })
  })

  it('puts the first connection of an identity out when a second comes', async () => {
    const first = await enter('ada')
    await enter('ada')
    await until(async () => first.closed() !== undefined)
    expect(first.first('leave')?.value.reason).toBe(2)
    expect(await inside()).toEqual(['ada'])
  })

  it('lets nobody publish who may not, and no more cameras than it can carry', async () => {
    const camera = (cid: string) => ({ case: 'addTrack', value: { cid, type: 1, source: 1 } }) as never
    const guest = await enter('guest', { canPublish: false })
    guest.send(camera('a'))
    await until(async () => guest.first('requestResponse') !== undefined)
    expect(guest.first('requestResponse')?.value.message).toContain('may not publish')
    const ada = await enter('ada')
    ada.send(camera('b'))
    await until(async () => ada.first('trackPublished') !== undefined)
    ada.send(camera('c'))
    await until(async () => ada.first('requestResponse') !== undefined)
    expect(ada.first('requestResponse')?.value.message).toContain('as many cameras')
  })

  it('sends a client whose session is unknown to begin anew', async () => {
    const lost = await enter('ada', {}, '&reconnect=1&sid=PA_unknown')
    expect(lost.first('leave')?.value.action).toBe(2)
    expect(await inside()).toEqual([])
  })

  it('lets nobody go on in the session of somebody else', async () => {
    const ada = await enter('ada')
    const sid = ada.first('join')?.value.participant?.sid
    const mallory = await enter('mallory', {}, `&reconnect=1&sid=${sid}`)
    expect(mallory.first('reconnect')).toBeUndefined()
    expect(mallory.first('leave')?.value.action).toBe(2)
    ada.send({ case: 'ping', value: 1n })
    await until(async () => ada.first('pong') !== undefined)
    expect(ada.closed()).toBeUndefined()
    const again = await enter('ada', {}, `&reconnect=1&sid=${sid}`)
    expect(again.first('reconnect')).toBeDefined()
  })

  it.each([
    ['bytes that are no signal', (ws: WebSocket) => ws.send(Buffer.alloc(64, 0xff))],
    ['text that is no signal', (ws: WebSocket) => ws.send('{"offer": 1')],
    ['a message that is too long', (ws: WebSocket) => ws.send(Buffer.alloc(300_000))],
    [
      'too many signals',
      (ws: WebSocket) => {
        const ping = new SignalRequest({ message: { case: 'ping', value: 1n } }).toBinary()
        for (let times = 0; times < 500; times += 1) ws.send(ping)
      },
    ],
    [
      'a description that is none',
      (ws: WebSocket) => {
        const offer = { case: 'offer', value: { type: 'offer', sdp: 'v=0\r\nm=nonsense\r\n' } } as never
        ws.send(new SignalRequest({ message: offer }).toBinary())
      },
    ],
    [
      'a candidate that is none',
      (ws: WebSocket) => {
        const trickle = { case: 'trickle', value: { candidateInit: '{' } } as never
        ws.send(new SignalRequest({ message: trickle }).toBinary())
      },
    ],
  ])('ends the connection that sends %s, and no other', async (_what, send) => {
    const ada = await enter('ada')
    const mallory = await enter('mallory')
    send(mallory.ws)
    await until(async () => mallory.closed() !== undefined)
    await until(async () => (await inside()).length === 1)
    ada.send({ case: 'ping', value: 1n })
    await until(async () => ada.first('pong') !== undefined)
    expect(await inside()).toEqual(['ada'])
  })

  it('tells those inside that they are recorded, those who wait and those who come later too', async () => {
    const ada = await enter('ada')
    const guest = await enter('guest', { hidden: true, canPublish: false, canSubscribe: false })
    expect(ada.first('join')?.value.room?.activeRecording).toBe(false)
    const file = new EncodedFileOutput({ filepath: 'recordings/one.mp4' })
    const { egressId } = await media.recorder.startRoomCompositeEgress(room, file)
    const lastTold = (client: typeof ada) => client.all('roomUpdate').at(-1)?.value.room?.activeRecording
    for (const client of [ada, guest]) await until(async () => lastTold(client) === true)
    // the recorder takes no participant's place
    guest.ws.close()
    await until(async () => !(await inside()).includes('guest'))
    const grace = await enter('grace')
    expect(grace.first('join')?.value.room?.activeRecording).toBe(true)
    await media.recorder.stopEgress(egressId)
    await until(async () => lastTold(grace) === false)
  })

  it('tells those inside what is said of the room now', async () => {
    const ada = await enter('ada')
    await rooms.updateRoomMetadata(room, '{"topic":"tea"}')
    await until(async () => ada.all('roomUpdate').at(-1)?.value.room?.metadata === '{"topic":"tea"}')
    const grace = await enter('grace')
    expect(grace.first('join')?.value.room?.metadata).toBe('{"topic":"tea"}')
  })

  it('gives whoever changes a token that says so, to begin anew with', async () => {
    const grace = await enter('grace', { hidden: true, canPublish: false })
    const permission = { canPublish: true, canSubscribe: true, hidden: false }
    await rooms.updateParticipant(room, 'grace', { permission })
    await until(async () => grace.first('refreshToken') !== undefined)
    const token = grace.first('refreshToken')?.value as string
    expect(decodeJwt(token)).toMatchObject({ sub: 'grace', video: { room, hidden: false, canPublish: true } })
    const again = await enterWith(token)
    expect(again.first('join')?.value.participant?.permission).toMatchObject({
      ...{ canPublish: true, hidden: false },
    })
  })

  it('says of a new session how everybody is connected', async () => {
    const ada = await enter('ada')
    await until(async () => ada.first('connectionQuality') !== undefined)
    expect(ada.first('connectionQuality')?.value.updates).toMatchObject([
      { participantSid: ada.first('join')?.value.participant?.sid, quality: 2 },
    ])
  })

  it('is empty when the process was killed, which is said, and can be entered again', async () => {
    const ada = await enter('ada')
    media.media.live?.kill()
    await until(async () =>
      rooms.listRooms().then(
        () => false,
        ({ code }) => code === 'unavailable',
      ),
    )
    await until(async () => ada.closed() !== undefined)
    await until(async () => (await inside()).length === 0)
    const again = await enterWhenUp('ada')
    expect(again.first('join')?.value.room?.name).toBe(room)
    await until(async () => (await rooms.listRooms()).length > 0)
  })
})

/** Until another process has been started, sockets are closed. */
async function enterWhenUp(identity: string) {
  let found: Awaited<ReturnType<typeof enter>> | undefined
  await until(async () => {
    found = await enter(identity).catch(() => undefined)
    return found !== undefined
  })
  return found as Awaited<ReturnType<typeof enter>>
}
