import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { decodeJwt, jwtVerify } from 'jose'
import { EgressStatus } from 'livekit-server-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../tests/fresh-database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { trusted } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import type { MediaPort } from '../../ports/media.ts'
import { livekitMedia } from './livekit-media.ts'

const ROOM = trusted.roomId('0b6f8f0e-6f5f-4c57-9a3a-5f6f2e1d7a10')
const SECRET = 'a-secret-that-is-long-enough-for-hs256'

interface Call {
  method: string
  body: Record<string, unknown>
  grant: Record<string, unknown>
}
type Answer = { status?: number; body?: unknown; type?: string } | 'cut' | 'silence'

/** LiveKit's own forms, one answer for each call: what only a server that misbehaves would say. */
describe('the adapter of LiveKit', () => {
  let server: HttpServer
  let calls: Call[]
  let answer: (method: string) => Answer
  let media: MediaPort

  beforeEach(async () => {
    calls = []
    answer = () => ({ body: {} })
    server = createServer(async (request, response) => {
      const method = request.url?.split('/').at(-1) ?? ''
      const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
      calls.push({
        method,
        body: JSON.parse(await text(request)),
        grant: decodeJwt<{ video: Record<string, unknown> }>(token).video,
      })
      const what = answer(method)
      if (what === 'cut') return request.socket.destroy()
      if (what === 'silence') return
      response.writeHead(what.status ?? 200, { 'content-type': what.type ?? 'application/json' })
      response.end(JSON.stringify(what.body ?? {}))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    media = livekitMedia({ url: () => url, apiKey: 'devkey', apiSecret: new Secret(SECRET) })
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const says = (status: number, code: string) => {
    answer = () => ({ status, body: { code, msg: `twirp error unknown: secret of ${code}` } })
  }
  const start = (answerWithinSeconds = 5) =>
    media.startRecording({ room: ROOM, fileKey: 'recordings/1/a.mp4', answerWithinSeconds })

  it('asks with the one right that the call needs', async () => {
    await media.openRoom(ROOM)
    await media.admit(ROOM, '42')
    await media.remove(ROOM, '42')
    await media.rooms()
    await media.participants(ROOM)
    await media.closeRoom(ROOM)
    expect(calls.map(({ method, grant }) => [method, grant])).toEqual([
      ['CreateRoom', { roomCreate: true }],
      ['UpdateParticipant', { roomAdmin: true, room: ROOM }],
      ['RemoveParticipant', { roomAdmin: true, room: ROOM }],
      ['ListRooms', { roomList: true }],
      ['ListParticipants', { roomAdmin: true, room: ROOM }],
      ['DeleteRoom', { roomCreate: true }],
    ])
    expect(calls[1]?.body).toMatchObject({
      identity: '42',
      permission: { canPublish: true, canSubscribe: true, canPublishData: true },
    })
    expect(calls[2]?.body).toMatchObject({ revokeTokenTs: expect.anything() })
  })

  it('mints tokens without asking, and none without a room or an identity', async () => {
    const who = { room: ROOM, identity: '42', name: 'Ada', rights: 'wait' } as const
    const token = { ...who, sealed: true, expiresInSeconds: 60 }
    const { payload } = await jwtVerify(await media.mintToken(token), new TextEncoder().encode(SECRET))
    expect(payload).toMatchObject({
      iss: 'devkey',
      sub: '42',
      name: 'Ada',
      video: { room: ROOM, hidden: true, encryptedOnly: true },
    })
    const agent = { ...token, rights: 'take-part', agent: { listens: true, speaks: false } } as const
    expect(decodeJwt(await media.mintToken(agent))).toMatchObject({
      kind: 'agent',
      video: { canSubscribe: true, canPublish: false },
    })
    await expect(media.mintToken({ ...token, room: trusted.roomId('') })).rejects.toThrow('one room')
    await expect(media.mintToken({ ...token, identity: '' })).rejects.toThrow('one identity')
    expect(calls).toEqual([])
  })

  it('takes an absent participant or room for an answer', async () => {
    says(404, 'not_found')
    expect(await media.admit(ROOM, '42')).toBe(false)
    expect(await media.remove(ROOM, '42')).toBe(false)
    expect(await media.closeRoom(ROOM)).toBe(false)
    expect(await media.participants(ROOM)).toEqual([])
    expect(await media.stopRecording('EG_1')).toEqual({ outcome: 'not-found' })
  })

  it('tells participants, their kinds and tracks apart, defaults left out', async () => {
    answer = () => ({
      body: {
        participants: [
          {
            sid: 'PA_1',
            identity: '42',
            name: 'Ada',
            state: 'ACTIVE',
            joined_at: '1700000000',
            joined_at_ms: '1700000000123',
            permission: { can_publish: true },
            tracks: [
              { sid: 'TR_1', source: 'MICROPHONE' },
              { sid: 'TR_2', source: 'SCREEN_SHARE', type: 'VIDEO' },
              { sid: 'TR_3' },
            ],
          },
          { sid: 'PA_2', identity: 'EG_1', kind: 'EGRESS' },
          { sid: 'PA_3', identity: 'bot', kind: 'AGENT' },
          { sid: 'PA_4', identity: 'phone', kind: 'SIP' },
        ],
      },
    })
    expect(await media.participants(ROOM)).toMatchObject([
      {
        sid: 'PA_1',
        kind: 'person',
        active: true,
        mayPublish: true,
        joinedAt: new Date(1_700_000_000_123),
        tracks: [
          { sid: 'TR_1', source: 'microphone', type: 'audio' },
          { sid: 'TR_2', source: 'screen_share', type: 'video' },
          { sid: 'TR_3', source: 'unknown', type: 'audio' },
        ],
      },
      { kind: 'recorder', active: false, mayPublish: false },
      { kind: 'agent' },
      { kind: 'other' },
    ])
  })

  it.each([
    ['cut off', () => 'cut' as const, true],
    ['500', () => ({ status: 500, body: { code: 'internal', msg: 'x' } }), true],
    ['503', () => ({ status: 503, body: { code: 'unavailable', msg: 'x' } }), true],
    ['a page of a proxy', () => ({ status: 502, body: '<html>', type: 'text/html' }), true],
    [
      'our key refused',
      () => ({ status: 401, body: 'invalid token: eyJhbGciOi', type: 'text/plain' }),
      false,
    ],
  ])('fails in our words: %s', async (_what, how, retryable) => {
    answer = how
    const error = await media.openRoom(ROOM).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ProviderFailure)
    expect(error).toMatchObject({ provider: 'livekit', action: 'CreateRoom', retryable })
    expect(JSON.stringify([error.message, String(error.cause)])).not.toMatch(/eyJ|html|secret/)
  })

  it('gives up on a server that says nothing', async () => {
    answer = () => 'silence'
    await expect(media.openRoom(ROOM)).rejects.toMatchObject({ retryable: true })
  })

  it('is never asked inside a transaction', async () => {
    const database = await freshDatabase()
    try {
      await expect(transaction(database.db, () => media.openRoom(ROOM))).rejects.toThrow('transaction')
      expect(calls).toEqual([])
    } finally {
      await database.drop()
    }
  })

  describe('starting a recording', () => {
    it('asks for one file, without a manifest and without keys of a store', async () => {
      answer = () => ({ body: { egress_id: 'EG_1', room_name: ROOM, room_composite: {} } })
      expect(await start()).toMatchObject({
        outcome: 'started',
        recording: {
          egressId: 'EG_1',
          room: ROOM,
          progress: 'starting',
          request: 'room_composite',
          startedAt: undefined,
        },
      })
      expect(calls[0]).toMatchObject({ method: 'StartRoomCompositeEgress', grant: { roomRecord: true } })
      expect(JSON.stringify(calls[0]?.body)).toContain('recordings/1/a.mp4')
      expect(JSON.stringify(calls[0]?.body)).not.toMatch(/secret|s3/i)
    })

    it.each([
      [404, 'not_found', 'no-room'],
      [503, 'unavailable', 'no-recorder'],
      [429, 'resource_exhausted', 'no-recorder'],
      [400, 'invalid_argument', 'rejected'],
    ])('is certainly refused: %i %s', async (status, code, reason) => {
      says(status, code)
      expect(await start()).toMatchObject({ outcome: 'refused', reason })
    })

    it.each([
      ['an answer that was lost', () => 'cut' as const],
      ['no answer', () => 'silence' as const],
      ['an error of its own', () => ({ status: 500, body: { code: 'internal', msg: 'x' } })],
      [
        'a recorder that does not answer it',
        () => ({ status: 408, body: { code: 'deadline_exceeded', msg: 'x' } }),
      ],
    ])('may have begun all the same: %s', async (_what, how) => {
      answer = how
      expect(await start(1)).toMatchObject({ outcome: 'unknown' })
      expect(calls).toHaveLength(1)
    })

    it('fails where our key is refused', async () => {
      answer = () => ({ status: 401, body: 'no', type: 'text/plain' })
      await expect(start()).rejects.toMatchObject({ retryable: false })
    })
  })

  it('stops what runs, and knows what is over', async () => {
    answer = () => ({ body: { egress_id: 'EG_1', status: 'EGRESS_ENDING', track_composite: {} } })
    expect(await media.stopRecording('EG_1')).toMatchObject({
      outcome: 'stopping',
      recording: { progress: 'ending', request: 'track_composite' },
    })
    says(412, 'failed_precondition')
    expect(await media.stopRecording('EG_1')).toEqual({ outcome: 'over' })
    says(408, 'deadline_exceeded')
    await expect(media.stopRecording('EG_1')).rejects.toMatchObject({ retryable: true })
  })

  it('lists recordings with their times and files', async () => {
    answer = () => ({
      body: {
        items: [
          {
            egress_id: 'EG_1',
            room_name: ROOM,
            status: EgressStatus.EGRESS_LIMIT_REACHED,
            started_at: '1700000000123456789',
            ended_at: '1700000060123456789',
            web: {},
            file_results: [
              { filename: 'a.mp4', size: '1024', duration: '60000000000', location: 's3://b/a.mp4' },
            ],
          },
          {
            egress_id: 'EG_3',
            status: EgressStatus.EGRESS_COMPLETE,
            backup_storage_used: true,
            file_results: [{ filename: 'b.mp4', size: '7', duration: '-1', location: 's3://backup/b.mp4' }],
          },
          { egress_id: 'EG_2', status: 'EGRESS_FAILED', error: 'Start signal not received' },
        ],
      },
    })
    expect(await media.recordings({ room: ROOM, running: true })).toMatchObject([
      {
        progress: 'limit_reached',
        request: 'web',
        startedAt: new Date(1_700_000_000_123),
        endedAt: new Date(1_700_000_060_123),
        file: { key: 'a.mp4', sizeBytes: 1_024, durationSeconds: 60, location: 's3://b/a.mp4' },
      },
      {
        file: {
          ...{ key: 'b.mp4', sizeBytes: 7, durationSeconds: undefined },
          ...{ location: 's3://backup/b.mp4', isElsewhere: true },
        },
      },
      { progress: 'failed', error: 'Start signal not received', file: undefined },
    ])
    expect(calls[0]?.body).toMatchObject({ roomName: ROOM, active: true })
  })

  it('lists streams that are brought in, and none where the server has no such service', async () => {
    answer = () => ({
      body: {
        items: [
          {
            ingress_id: 'IN_1',
            input_type: 'WHIP_INPUT',
            room_name: ROOM,
            state: { status: 'ENDPOINT_PUBLISHING', started_at: '1700000000000000000' },
          },
          { ingress_id: 'IN_2', state: { status: 'ENDPOINT_INACTIVE' } },
        ],
      },
    })
    expect(await media.ingresses()).toEqual([
      { ingressId: 'IN_1', input: 'whip', room: ROOM, startedAt: new Date(1_700_000_000_000) },
    ])
    says(500, 'internal')
    expect(await media.ingresses()).toEqual([])
  })
})
