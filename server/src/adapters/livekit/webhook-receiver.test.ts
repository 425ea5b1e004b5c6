import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebhookReceiver } from 'livekit-server-sdk'
import { describe, expect, it } from 'vitest'
import { MEDIA_KEY, type SigningOptions, signature } from '../../../tests/chapters/media-events.ts'
import { systemClock } from '../../platform/clock.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import type { MediaEvent } from '../../ports/media-events.ts'
import { livekitEvents } from './webhook-receiver.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')
const key = { apiKey: MEDIA_KEY.apiKey, secret: new Secret(MEDIA_KEY.secret) }
const receiver = livekitEvents([key], systemClock)

function read(body: string | object): MediaEvent {
  const text = typeof body === 'string' ? body : JSON.stringify({ id: 'EV_1', ...body })
  const delivery = receiver.receive(Buffer.from(text), signature(text))
  if (delivery.outcome !== 'event') throw new Error(delivery.outcome)
  return delivery.event
}

const captured = (name: string) => readFileSync(join(FIXTURES, `${name}.json`), 'utf8')

describe('what a real server sent', () => {
  it.each(readdirSync(FIXTURES).map((name) => name.replace('.json', '')))('%s', (name) => {
    const event = read(captured(name))
    expect(event.kind).toBe(name.split('-')[0])
    expect(event.id).toMatch(/^EV_\w+$/)
    expect(event.at.getTime() % 1_000).toBe(0)
    // secrets of the vendor's stay behind
    expect(JSON.stringify(event)).not.toMatch(/turnPassword|redacted/)
  })

  it('is read in our words', () => {
    expect(read(captured('participant_joined'))).toEqual({
      kind: 'participant_joined',
      id: 'EV_2SENV5cFjVxf',
      at: new Date(1_795_258_217_000),
      room: {
        sid: 'RM_Miph9rV5LTHY',
        name: '0b6f8f0e-6f5f-4c57-9a3a-5f6f2e1d7a10',
        startedAt: new Date(1_795_258_217_689),
      },
      participant: {
        sid: 'PA_G89gHZKKZT56',
        identity: '43',
        name: 'Name of 43',
        kind: 'person',
        joinedAt: new Date(1_795_258_217_810),
      },
    })
    expect(read(captured('track_published-microphone'))).toMatchObject({
      track: { sid: 'TR_AM9NCDAF8o24TB', source: 'microphone', type: 'audio' },
    })
    expect(read(captured('track_published-screen_share'))).toMatchObject({
      track: { source: 'screen_share', type: 'video' },
    })
    expect(read(captured('participant_connection_aborted'))).toMatchObject({ reason: 'signal_close' })
  })
})

describe('forms', () => {
  const track = (more: object) =>
    read({
      event: 'track_published',
      room: {},
      participant: { sid: 'PA_1' },
      track: { sid: 'TR_1', ...more },
    })

  it.each([
    [{}, 'unknown', 'audio'],
    [{ source: 'SCREEN_SHARE_AUDIO', type: 'AUDIO' }, 'screen_share_audio', 'audio'],
    [{ source: 'CAMERA', type: 'VIDEO' }, 'camera', 'video'],
    [{ source: 1, type: 1 }, 'camera', 'video'],
    [{ source: 'HOLOGRAM', type: 'DATA' }, 'unknown', 'data'],
  ])('of a track %o', (given, source, type) => {
    expect(track(given)).toMatchObject({ track: { source, type } })
  })

  it.each([
    ['STANDARD', '42', 'person'],
    [undefined, '42', 'person'],
    ['EGRESS', 'x', 'recorder'],
    [undefined, 'EG_abc', 'recorder'],
    ['AGENT', 'x', 'agent'],
    [4, 'x', 'agent'],
    ['SIP', 'x', 'other'],
    ['SOMETHING_NEW', 'x', 'other'],
  ])('of a participant of kind %s called %s', (kind, identity, expected) => {
    const participant = { sid: 'PA_1', identity, kind }
    expect(read({ event: 'participant_joined', participant })).toMatchObject({
      participant: { kind: expected },
    })
  })

  it.each([
    ['roomComposite', 'room_composite'],
    ['web', 'web'],
    ['participant', 'participant'],
    ['trackComposite', 'track_composite'],
    ['track', 'track'],
  ])('of a recording by %s', (field, request) => {
    const info = { egressId: 'EG_1', roomName: 'r', status: 'EGRESS_LIMIT_REACHED', [field]: {} }
    const nanoseconds = { startedAt: '1795258217689123456', endedAt: '1795258317689999999' }
    const file = {
      filename: 'a.mp4',
      size: '9007199254740993',
      duration: '99000000000',
      location: 's3://b/a',
    }
    expect(
      read({ event: 'egress_ended', egressInfo: { ...info, ...nanoseconds, fileResults: [file] } }),
    ).toMatchObject({
      recording: {
        egressId: 'EG_1',
        room: 'r',
        request,
        progress: 'limit_reached',
        startedAt: new Date(1_795_258_217_689),
        file: { key: 'a.mp4', durationSeconds: 99 },
      },
    })
  })

  it.each(['0', '-5', 0, undefined])('of a recording without a length: %s', (duration) => {
    const info = { egressId: 'EG_1', roomName: 'r', status: 'EGRESS_COMPLETE', web: {} }
    const file = { filename: 'a.mp4', size: '5', duration, location: 's3://b/a' }
    const event = read({ event: 'egress_ended', egressInfo: { ...info, file } })
    expect(event).toMatchObject({ recording: { file: { key: 'a.mp4', durationSeconds: undefined } } })
    expect(event).not.toMatchObject({ recording: { file: { isElsewhere: true } } })
  })

  it('of a recording with its file in the backup store of its recorder', () => {
    const info = {
      egressId: 'EG_1',
      roomName: 'r',
      status: 'EGRESS_COMPLETE',
      web: {},
      backupStorageUsed: true,
    }
    const file = { filename: 'a.mp4', size: '5', duration: '1', location: 's3://backup/a' }
    expect(read({ event: 'egress_ended', egressInfo: { ...info, fileResults: [file] } })).toMatchObject({
      recording: { file: { isElsewhere: true, location: 's3://backup/a' } },
    })
  })

  it.each(['', '0', '-5', 'soon', '99999999999999999999999'])(
    'of a time that cannot be meant: %s',
    (joinedAt) => {
      const participant = { sid: 'PA_1', identity: '1', joinedAt }
      const event = read({ event: 'participant_joined', participant, createdAt: joinedAt })
      expect(event).toMatchObject({ participant: { joinedAt: undefined } })
      expect(Number.isNaN(event.at.getTime())).toBe(false)
    },
  )

  it.each([
    [{ room: { sid: 'RM_1', name: 'r', duration: '77' } }, 77],
    [{ room: { sid: 'RM_1', name: 'r', duration: 77.5 } }, 77.5],
    [{ room: { sid: 'RM_1', name: 'r' }, duration: 77 }, 77],
    [{ room: { sid: 'RM_1', name: 'r', duration: -1 } }, undefined],
    [{ room: { sid: 'RM_1', name: 'r' } }, undefined],
  ])('of the end of a room: %j', (given, durationSeconds) => {
    const event = read({ event: 'room_finished', ...given })
    expect('durationSeconds' in event ? event.durationSeconds : undefined).toBe(durationSeconds)
  })

  it('of names and errors: cut where they are too long, and whole characters', () => {
    const participant = {
      sid: 'PA_1',
      identity: '1',
      name: '🦊'.repeat(400),
      attributes: { other: 'x'.repeat(9_000) },
    }
    const room = { sid: 'RM_1', name: 'r', metadata: 'x'.repeat(500_000) }
    const joined = read({ event: 'participant_joined', room, participant })
    expect(joined).toMatchObject({ participant: { name: '🦊'.repeat(256) } })
    const info = { egressId: 'EG_1', roomName: 'r', error: `\0${'x'.repeat(9_000)}` }
    expect(read({ event: 'egress_ended', egressInfo: info })).toMatchObject({
      recording: { error: 'x'.repeat(511) },
    })
  })

  const [ids, room] = [{ id: 'EV_1' }, { sid: 'RM_1', name: 'r' }]
  const participant = { sid: 'PA_1', identity: '1' }
  const long = 'x'.repeat(513)

  it.each<[string, object, string]>([
    ['no id', { event: 'room_started', room }, 'id'],
    ['an empty id', { event: 'room_started', room, id: '' }, 'id'],
    ['a long id', { event: 'agent_job_started', id: long }, 'id'],
    ['no room', { ...ids, event: 'room_started' }, 'room.sid'],
    ['an empty room', { ...ids, event: 'room_finished', room: { sid: '', name: 'r' } }, 'room.sid'],
    ['a long room', { ...ids, event: 'room_finished', room: { sid: long, name: 'r' } }, 'room.sid'],
    ['no name of a room', { ...ids, event: 'room_started', room: { sid: 'RM_1' } }, 'room.name'],
    ['an empty name', { ...ids, event: 'participant_left', room: { name: '' }, participant }, 'room.name'],
    ['a long name', { ...ids, event: 'room_started', room: { sid: 'RM_1', name: long } }, 'room.name'],
    ['a name of no text', { ...ids, event: 'room_started', room: { sid: 'RM_1', name: '\0' } }, 'room.name'],
    ['half a character', { ...ids, event: 'room_started', room: { sid: '\ud800', name: 'r' } }, 'room.sid'],
    ['nobody', { ...ids, event: 'participant_left', room }, 'participant.sid'],
    [
      'nobody’s identity',
      { ...ids, event: 'participant_joined', room, participant: { sid: 'PA_1' } },
      'participant.identity',
    ],
    [
      'a long identity',
      { ...ids, event: 'participant_left', room, participant: { sid: 'PA_1', identity: long } },
      'participant.identity',
    ],
    ['a long person', { ...ids, event: 'participant_left', participant: { sid: long } }, 'participant.sid'],
    ['no track', { ...ids, event: 'track_published', room, participant }, 'track.sid'],
    ['a long track', { ...ids, event: 'track_unpublished', participant, track: { sid: long } }, 'track.sid'],
    ['no recording', { ...ids, event: 'egress_started' }, 'egressInfo.egressId'],
    [
      'a long room of a recording',
      { ...ids, event: 'egress_ended', egressInfo: { egressId: 'EG_1', roomName: long } },
      'egressInfo.roomName',
    ],
    ['no stream', { ...ids, event: 'ingress_ended', ingressInfo: {} }, 'ingressInfo.ingressId'],
  ])('of an event with %s: unusable, and never cut', (_case, body, field) => {
    const text = JSON.stringify(body)
    expect(receiver.receive(Buffer.from(text), signature(text))).toEqual({ outcome: 'unusable', field })
  })

  it('of ids of 512 characters: whole', () => {
    const whole = 'x'.repeat(512)
    const event = read({
      id: whole,
      event: 'track_published',
      room: { sid: whole, name: whole },
      participant: { sid: whole, identity: whole },
      track: { sid: whole },
    })
    expect(event).toMatchObject({
      id: whole,
      room: { sid: whole, name: whole },
      participant: { sid: whole, identity: whole },
      track: { sid: whole },
    })
  })
})

describe('signatures', () => {
  const body = captured('room_started')
  const sdk = new WebhookReceiver(MEDIA_KEY.apiKey, MEDIA_KEY.secret)
  const ours = (authorization: string | undefined) =>
    receiver.receive(Buffer.from(body), authorization).outcome === 'event'
  const theirs = (authorization: string | undefined) =>
    sdk.receive(body, authorization, false, 60).then(
      () => true,
      () => false,
    )
  const good = signature(body)
  const [header = '', claims = '', mac = ''] = good.split('.')
  const variants: SigningOptions[] = [
    {},
    { apiKey: 'other' },
    { secret: 'other' },
    { bodySigned: `${body}\n` },
    { algorithm: 'none' },
    { algorithm: 'HS384' },
    { skewSeconds: 11 },
    { skewSeconds: 50 },
    { skewSeconds: 75 },
    { skewSeconds: -340 },
    { skewSeconds: -370 },
    { lifetimeSeconds: -10 },
    { lifetimeSeconds: -100 },
    { claims: { sha256: undefined } },
    { claims: { sha256: '' } },
    { claims: { sha256: 5 } },
    { claims: { iss: undefined } },
    { claims: { nbf: undefined } },
    { claims: { nbf: 'now' } },
    { claims: { exp: 'never' } },
    { claims: { iat: undefined } },
  ]
  const texts = [
    '',
    'x',
    '..',
    `${header}.${claims}`,
    `${header}.${claims}.`,
    `${good}.${mac}`,
    `Bearer ${good}`,
    ` ${good}`,
    `${header}.${mac}.${claims}`,
    good.toUpperCase(),
    `${header}.${claims}.${mac.slice(0, -2)}`,
  ]

  it.each([...variants.map((variant) => signature(body, variant)), ...texts])(
    'are judged as the SDK judges them (%#)',
    async (authorization) => {
      expect(ours(authorization)).toBe(await theirs(authorization))
    },
  )

  it('are wanted', () => {
    expect(ours(undefined)).toBe(false)
    expect(ours(good)).toBe(true)
  })

  it('of several keys are all taken', () => {
    const next = { apiKey: 'next', secret: new Secret('the-next-secret-of-the-media-server-0') }
    const both = livekitEvents([key, next], systemClock)
    const outcome = (options: SigningOptions) =>
      both.receive(Buffer.from(body), signature(body, options)).outcome
    expect(outcome({})).toBe('event')
    expect(outcome({ apiKey: 'next', secret: next.secret.reveal() })).toBe('event')
    expect(outcome({ apiKey: 'next' })).toBe('unsigned')
  })

  it('of nobody are none', () => {
    expect(livekitEvents([], systemClock).receive(Buffer.from(body), good).outcome).toBe('unsigned')
  })
})
