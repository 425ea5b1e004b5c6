import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveBackAnHour, newRecording, recordingOf } from '../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'

const SECRET = 'the-secret-of-the-recordings-webhook'

describe('POST /webhook/recordings', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { RECORDINGS_WEBHOOK_SECRET: SECRET } })
  })
  afterAll(() => office.close())

  async function send(body: unknown, headers: Record<string, string> = { 'x-webhook-secret': SECRET }) {
    const response = await fetch(`${office.baseUrl}/webhook/recordings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }

  it('ends a recording, once, with what it is told', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    await moveBackAnHour(office, egressId)
    const moment = office.clock.now().getTime() - 30 * 60 * 1_000
    const end = {
      egressId,
      status: 'completed',
      fileUrl: 'https://files.example/recordings/a.mp4',
      sizeBytes: 5_000_000_000,
      durationSeconds: 61.5,
      endedAt: new Date(moment + 60 * 60 * 1_000).toISOString().replace('Z', '+01:00'),
    }
    expect(await send(end)).toEqual({ status: 200, body: { code: 200, message: 'Recorded' } })
    const ended = {
      state: 'completed',
      sizeBytes: 5_000_000_000,
      durationSeconds: 61.5,
      endedAt: new Date(moment).toISOString(),
    }
    expect(await recordingOf(founder, room)).toMatchObject(ended)
    for (const again of [end, { egressId, status: 'failed' }]) {
      expect((await send(again)).status).toBe(200)
      expect(await recordingOf(founder, room)).toMatchObject(ended)
    }
  })

  it('believes no end before the recording was asked for: its film stays, and its access begins', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    const earliest = office.clock.now()
    const end = { egressId, status: 'completed', sizeBytes: 5, endedAt: '2020-01-01T00:00:00Z' }
    expect((await send(end)).status).toBe(200)
    const ended = await recordingOf(founder, room)
    expect(ended.state).toBe('completed')
    expect(new Date(ended.endedAt ?? 0).getTime()).toBeGreaterThanOrEqual(earliest.getTime())
  })

  it('needs no more than id and status', async () => {
    const founder = await newFounder(office)
    const [one, other] = [await newRecording(founder), await newRecording(founder)]
    expect((await send({ egressId: one.egressId, status: 'completed' })).status).toBe(200)
    expect((await send({ egressId: other.egressId, status: 'failed' })).status).toBe(200)
    expect((await recordingOf(founder, one.room)).state).toBe('completed')
    expect((await recordingOf(founder, other.room)).state).toBe('failed')
  })

  it.each([0, -5])(
    'takes the end of a recording with the length %d: it is not told',
    async (durationSeconds) => {
      const founder = await newFounder(office)
      const { room, egressId } = await newRecording(founder)
      expect((await send({ egressId, status: 'completed', durationSeconds })).status).toBe(200)
      expect(await recordingOf(founder, room)).toMatchObject({ state: 'completed', durationSeconds: null })
    },
  )

  it.each([
    {},
    { 'x-webhook-secret': '' },
    { 'x-webhook-secret': 'wrong' },
    { 'x-webhook-secret': `${SECRET}x` },
    { 'x-webhook-secret': SECRET.slice(0, -1) },
    { authorization: `Bearer ${SECRET}` },
  ] as Record<string, string>[])('is refused without the secret, whatever the body: %j', async (headers) => {
    for (const body of [{ egressId: 'EG_1', status: 'completed' }, {}, '{']) {
      expect(await send(body, headers)).toMatchObject({ status: 401, body: { code: 401 } })
    }
  })

  it('says that a recording is unknown', async () => {
    expect((await send({ egressId: 'EG_unknown', status: 'completed' })).status).toBe(404)
  })

  it.each([
    {},
    '',
    '{',
    [],
    { egressId: 'EG_1' },
    { egressId: 'EG_1', status: 'running' },
    { egressId: '', status: 'failed' },
    { egressId: 5, status: 'failed' },
    { egressId: 'EG_1', status: 'completed', sizeBytes: -1 },
    { egressId: 'EG_1', status: 'completed', sizeBytes: '5' },
    { egressId: 'EG_1', status: 'completed', durationSeconds: '5' },
    { egressId: 'EG_1', status: 'completed', endedAt: 'yesterday' },
    { egressId: 'EG_1', status: 'completed', endedAt: '2026-11-21T12:00:00' },
    { egressId: 'EG_1', status: 'completed', endedAt: '2026-13-41T12:00:00Z' },
  ])('refuses what is no report: %j', async (body) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 400 } })
  })

  it('tells of a value that is none of the words once, of whatever type it is', async () => {
    for (const status of ['running', 5]) {
      const { body } = await send({ egressId: 'EG_1', status })
      expect(body.details).toEqual([{ field: 'status', message: 'Choose completed or failed' }])
    }
  })

  it('knows no browser: rules about other sites do not hold', async () => {
    const founder = await newFounder(office)
    const { egressId } = await newRecording(founder)
    const headers = {
      'x-webhook-secret': SECRET,
      origin: 'https://elsewhere.example',
      'sec-fetch-site': 'cross-site',
    }
    expect((await send({ egressId, status: 'completed' }, headers)).status).toBe(200)
  })

  it('is no page of a browser: another type is refused, other methods are not served', async () => {
    const form = await fetch(`${office.baseUrl}/webhook/recordings`, {
      method: 'POST',
      headers: { 'x-webhook-secret': SECRET },
      body: new URLSearchParams({ egressId: 'EG_1', status: 'failed' }),
    })
    expect(form.status).toBe(415)
    expect((await fetch(`${office.baseUrl}/webhook/recordings`)).status).toBe(405)
  })
})
