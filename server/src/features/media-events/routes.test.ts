import { createHash, randomUUID } from 'node:crypto'
import { WebhookReceiver } from 'livekit-server-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deliver,
  MEDIA_KEY,
  MEDIA_SETTINGS,
  metricsOf,
  newRoom,
  newSession,
  type SigningOptions,
  seriesValue,
  signature,
  somebody,
  tell,
  untilMetrics,
} from '../../../tests/chapters/media-events.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'

let office: TestOffice
const recorded = recordedLog()
beforeAll(async () => {
  office = await openTestOffice({ settings: MEDIA_SETTINGS, log: recorded.log })
})
afterAll(() => office.close())

const REFUSED = { error: 'Failed to receive webhook event' }
const strayEvent = () => tell.room('room_started', newSession(randomUUID()))

describe('what is refused', () => {
  const faults: [string, Parameters<typeof deliver>[2] & SigningOptions][] = [
    ['no signature', { authorization: null }],
    ['an empty one', { authorization: '' }],
    ['no token', { authorization: 'let me in' }],
    ['no algorithm', { algorithm: 'none' }],
    ['another algorithm', { algorithm: 'HS512' }],
    ['a key of others', { apiKey: 'somebody' }],
    ['another secret', { secret: 'another-secret-of-some-other-server-01' }],
    ['another body', { bodySigned: '{"event":"room_finished"}' }],
    ['an expired one', { skewSeconds: -400 }],
    ['one of a clock far ahead', { skewSeconds: 90 }],
    ['one that never expires', { claims: { exp: undefined } }],
    ['a token for joining a room', { claims: { sha256: undefined, video: { roomJoin: true } } }],
    ['a hash in another form', { claims: { sha256: 'abc' } }],
    ['another content type', { contentType: 'text/plain' }],
    ['a form', { contentType: 'application/x-www-form-urlencoded' }],
  ]
  it.each(faults)('%s', async (_name, options) => {
    const answer = await deliver(office, strayEvent(), options)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual(REFUSED)
    expect(recorded.text()).not.toContain('stack')
  })

  it.each([1.1, 40])('a body of %d MiB, and whoever sends it sees that', async (mebibytes) => {
    const body = 'x'.repeat(mebibytes * 1024 * 1024)
    const answer = await deliver(office, body)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual(REFUSED)
    // hung up on while still writing, it would see a broken pipe
    expect(answer.headers.get('connection')).not.toBe('close')
  })

  it('signed: a body that is not UTF-8, or is said to be encoded', async () => {
    const text = JSON.stringify({ ...strayEvent(), metadata: '\u00ff' })
    const bytes = Buffer.from(text).map((byte) => (byte === 0xc3 ? 0xff : byte))
    const sha256 = createHash('sha256').update(bytes).digest('base64')
    const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      fetch(`${office.baseUrl}/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/webhook+json', ...headers },
        body,
      })
    for (const answer of [
      await send(bytes, { authorization: signature(text, { claims: { sha256 } }) }),
      await send(text, { authorization: signature(text), 'content-encoding': 'gzip' }),
    ]) {
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual(REFUSED)
    }
  })

  it('a Bearer prefix', async () => {
    const body = JSON.stringify(strayEvent())
    const answer = await deliver(office, body, { authorization: `Bearer ${signature(body)}` })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual(REFUSED)
  })

  it.each([
    ['no JSON', 'room started'],
    ['a list', '[]'],
    ['null', 'null'],
    ['nothing', ''],
    ['a room that is a word', JSON.stringify({ event: 'room_started', id: 'EV_1', room: 'room' })],
    ['more than a megabyte', JSON.stringify({ event: 'room_started', metadata: 'x'.repeat(1_100_000) })],
  ])('signed: %s', async (_name, body) => {
    const answer = await deliver(office, body)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual(REFUSED)
  })

  it('is counted where it was not signed', async () => {
    const before = seriesValue(await metricsOf(office), 'rtc_webhook_signature_failures_total') ?? 0
    await deliver(office, strayEvent(), { authorization: null })
    await until(async () => {
      const now = seriesValue(await metricsOf(office), 'rtc_webhook_signature_failures_total') ?? 0
      return now > before
    })
  })
})

describe('what is taken', () => {
  it.each([
    ['plain JSON', { contentType: 'application/json' }],
    ['JSON with a charset', { contentType: 'application/json; charset=utf-8' }],
    ['a clock a minute ahead', { skewSeconds: 55 }],
    ['a clock eleven seconds ahead', { skewSeconds: 11 }],
    ['a clock behind', { skewSeconds: -330 }],
  ])('%s', async (_name, options) => {
    expect((await deliver(office, strayEvent(), options)).status).toBe(200)
  })

  it.each([
    ['an unknown event', { event: 'agent_job_started', id: 'EV_agent', job: {} }],
    [
      'an egress of no room',
      tell.egress('egress_started', { egressId: 'EG_web', web: { url: 'https://a' } }),
    ],
  ])('%s', async (_name, body) => {
    expect((await deliver(office, body)).status).toBe(200)
  })

  it.each([
    ['without its subject', { event: 'room_started', id: 'EV_bare' }],
    ['without an id', { event: 'room_finished', room: { sid: 'RM_x', name: 'y' } }],
    [
      'of an id without end',
      { event: 'room_finished', id: 'x'.repeat(600_000), room: { sid: 'RM_x', name: 'y' } },
    ],
    ['of characters that no database takes', tell.room('room_started', newSession('\u0000\ud800'))],
  ])('an event %s is unusable: taken and counted', async (_name, body) => {
    const count = async (name: string) => seriesValue(await metricsOf(office), name) ?? 0
    const before = await count('rtc_webhook_unusable_total')
    expect((await deliver(office, body)).status).toBe(200)
    await until(async () => (await count('rtc_webhook_unusable_total')) === before + 1)
  })

  it('a room that is not ours counts as unknown, and nowhere else', async () => {
    const of = async () =>
      seriesValue(await metricsOf(office), 'rtc_webhook_events_total', {
        event: 'participant_left',
        org_id: 'unknown',
      }) ?? 0
    const before = await of()
    await deliver(office, tell.participant('participant_left', newSession(randomUUID()), somebody('42')))
    await until(async () => (await of()) === before + 1)
    expect((await metricsOf(office)).filter(({ name }) => name === 'rtc_room_active')).toEqual([])
  })

  it('an event once, however often it comes', async () => {
    const { founder, room } = await newRoom(office)
    const event = tell.room('room_started', newSession(room))
    const before = seriesValue(await metricsOf(office), 'rtc_webhook_duplicates_total') ?? 0
    for (let time = 0; time < 3; time += 1) expect((await deliver(office, event)).status).toBe(200)
    await untilMetrics(office, founder.organizationId, { rtc_room_active: 1, rtc_rooms_started_total: 1 })
    await until(
      async () => seriesValue(await metricsOf(office), 'rtc_webhook_duplicates_total') === before + 2,
    )
  })

  it('an event of the same id again when the window is over', async () => {
    const event = strayEvent()
    await deliver(office, event)
    const processedAt = async () =>
      office.database.db
        .selectFrom('media_events')
        .select(['received_at', 'processed_at'])
        .where('event_id', '=', event.id)
        .executeTakeFirst()
    await until(async () => (await processedAt())?.processed_at != null)
    const first = await processedAt()
    office.clock.advance(601)
    await deliver(office, event, { skewSeconds: 601 })
    await until(async () => (await processedAt())?.received_at.getTime() !== first?.received_at.getTime())
    office.clock.advance(-601)
  })

  it('what the SDK of the media server signs is what it takes', async () => {
    const body = JSON.stringify(strayEvent())
    const sdk = new WebhookReceiver(MEDIA_KEY.apiKey, MEDIA_KEY.secret)
    await expect(sdk.receive(body, signature(body))).resolves.toMatchObject({ event: 'room_started' })
    await expect(sdk.receive(body, signature(`${body} `))).rejects.toThrow()
    expect((await deliver(office, body)).status).toBe(200)
  })

  it('a path below it is not found there', async () => {
    const answer = await fetch(`${office.baseUrl}/webhook/elsewhere`, { method: 'POST' })
    expect(answer.status).toBe(404)
  })
})
