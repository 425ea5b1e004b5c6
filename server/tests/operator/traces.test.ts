import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { summaryOf } from '../../src/platform/database/named-statements.ts'
import { isTracing, traceparentOf } from '../../src/platform/trace.ts'
import { deliverAll, MEDIA_SETTINGS, newRoom, newSession, somebody, tell } from '../chapters/media-events.ts'
import { exportOf } from '../data/archives.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import { newFounder, newMember } from '../people.ts'
import { until } from '../until.ts'
import { openTraceCollector, type ToldSpan, type TraceCollector } from '../vendors/trace-collector.ts'

/** A step of a caller before us. */
const parent = () => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, header: `00-${traceId}-${spanId}-01` }
}

const sending =
  (header: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('traceparent', header)
    return fetch(input, { ...init, headers })
  }

describe('traces', () => {
  let collector: TraceCollector
  let office: TestOffice
  beforeAll(async () => {
    collector = await openTraceCollector()
    office = await openTestOffice({
      settings: {
        ...MEDIA_SETTINGS,
        TRUST_PROXY: 'loopback',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer of-the-collector',
      },
    })
  })
  afterAll(async () => {
    await office.close()
    await collector.close()
  })

  const of = (traceId: string) => collector.spans().filter((span) => span.traceId === traceId)
  /** Waits until a step of the trace is told. */
  async function spanOf(traceId: string, name: RegExp): Promise<ToldSpan> {
    let found: ToldSpan | undefined
    await until(() => {
      found = of(traceId).find((span) => name.test(span.name))
      return found !== undefined
    })
    return found as unknown as ToldSpan
  }
  /** Names from the first step of the trace to this one. */
  function pathTo(span: ToldSpan): string[] {
    const above = of(span.traceId).find(({ spanId }) => spanId === span.parentSpanId)
    return [...(above ? pathTo(above) : []), span.name]
  }

  it('one goes from the proxy over the request and its statements through the outbox to the broker', async () => {
    const founder = await newFounder(office)
    const before = parent()
    const headers = { cookie: `atrium_session=${founder.cookie}`, traceparent: before.header }
    const body = JSON.stringify({ displayName: 'Planted Name' })
    const update = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    expect((await fetch(`${office.baseUrl}/user/update`, update)).status).toBe(200)

    const request = await spanOf(before.traceId, /^updateProfile$/)
    expect(request).toMatchObject({
      parentSpanId: before.spanId,
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/user/update',
        'http.response.status_code': 200,
        // as in the log
        'atrium.organization': expect.stringMatching(/^\d+$/),
      },
    })
    const changed = await spanOf(before.traceId, /^update users$/)
    expect(pathTo(changed)).toEqual(['updateProfile', 'update users'])
    const published = await spanOf(before.traceId, /^broker (publish|broadcast)$/)
    expect(pathTo(published)).toEqual(['updateProfile', published.name])
    // no user input, nor who the user is
    for (const { body: text, authorization } of collector.requests) {
      expect(text).not.toMatch(/Planted Name|people\.example/)
      expect(text).not.toContain(founder.cookie)
      expect(authorization).toBe('Bearer of-the-collector')
    }
  })

  it('what is done later is part of it, and calls outside are steps', async () => {
    const founder = await newFounder(office)
    const before = parent()
    const browser = office.browser(sending(before.header))
    await browser.call('signIn', { email: founder.email })
    const mailed = await spanOf(before.traceId, /^work mail$/)
    expect(pathTo(mailed)).toEqual(['signIn', 'local identity sendCode', 'work mail'])

    const { room } = await newRoom(office)
    const caller = parent()
    const headers = {
      cookie: `atrium_session=${founder.cookie}`,
      'content-type': 'application/json',
      traceparent: caller.header,
    }
    const another = await founder.browser.call('createRoom', { name: `Room ${room}` })
    const entering = JSON.stringify({ roomId: another.room.id, username: 'Ada' })
    const entered = await fetch(`${office.baseUrl}/api/v1/rtc/room-auth`, {
      method: 'POST',
      headers,
      body: entering,
    })
    expect(entered.status).toBeGreaterThanOrEqual(500)
    const call = await spanOf(caller.traceId, /^livekit /)
    expect(call.failed).toBe(true)
    expect(pathTo(call)[0]).toBe('authorizeRoom')
    expect((await spanOf(caller.traceId, /^authorizeRoom$/)).failed).toBe(true)
  })

  it('an export that is traced is made', async () => {
    const founder = await newFounder(office)
    const before = parent()
    const browser = office.browser(sending(before.header))
    await browser.call('devSignIn', { email: founder.email })
    expect(await exportOf(office, browser, 'User')).toContain(office.baseUrl)
    expect(pathTo(await spanOf(before.traceId, /^work exports$/))).toContain('startUserExport')
  })

  it('one goes from a webhook through the inbox to the job that works on it', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const known = new Set(collector.spans().map(({ traceId }) => traceId))
    await deliverAll(office, [tell.participant('participant_joined', session, somebody(founder.id))])
    let first: ToldSpan | undefined
    await until(() => {
      first = collector.spans().find(({ name, traceId }) => name === 'POST /webhook' && !known.has(traceId))
      return first !== undefined
    })
    const { traceId, parentSpanId } = first as unknown as ToldSpan
    expect(parentSpanId).toBe('')
    const worked = await spanOf(traceId, /^media event participant_joined$/)
    expect(pathTo(worked)).toEqual(['POST /webhook', 'media event participant_joined'])
    const written = await spanOf(traceId, /media_participants$/)
    expect(pathTo(written).slice(0, 2)).toEqual(['POST /webhook', 'media event participant_joined'])
    const heard = await spanOf(traceId, /^media event told /)
    expect(pathTo(heard)[0]).toBe('POST /webhook')
  })
})

describe('without a collector', () => {
  it('nothing is traced, and nothing of a trace is written down', async () => {
    const office = await openTestOffice({ settings: { TRUST_PROXY: 'loopback' } })
    try {
      expect(isTracing()).toBe(false)
      const founder = await newFounder(office)
      await newMember(office, founder, 'member')
      await office.browser(sending(parent().header)).call('signIn', { email: founder.email })
      const events = await office.database.db.selectFrom('centrifugo_outbox').select('traceparent').execute()
      expect(events.filter(({ traceparent }) => traceparent !== null)).toEqual([])
      const work = await office.database.db.selectFrom('work_items').select('traceparent').execute()
      expect(work.filter(({ traceparent }) => traceparent !== null)).toEqual([])
    } finally {
      await office.close()
    }
  })
})

describe('a neighbour who is no proxy of ours', () => {
  it('begins no trace of its own choice', async () => {
    const collector = await openTraceCollector()
    const office = await openTestOffice({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    const before = parent()
    try {
      await office.browser(sending(before.header)).call('signUp', { email: freshEmail() })
      await until(() => collector.spans().some(({ name }) => name === 'signUp'))
      expect(collector.spans().filter(({ traceId }) => traceId === before.traceId)).toEqual([])
    } finally {
      await office.close()
      await collector.close()
    }
    expect(isTracing()).toBe(false)
  })
})

describe('what is sent as traceparent', () => {
  it.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
    ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', false],
    ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', false],
    [`00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n`, false],
    ['', false],
    [undefined, false],
    [['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'], false],
  ])('%j', (given, taken) => {
    expect(traceparentOf(given)).toBe(taken ? given : undefined)
  })
})

describe('what a statement is called', () => {
  it.each([
    ['select "id" from "users" where "email" = $1', 'select users'],
    ['insert into centrifugo_outbox (method) values ($1)', 'insert centrifugo_outbox'],
    ['update "memberships" set "role" = $1', 'update memberships'],
    ['delete from work_items where id = $1', 'delete work_items'],
    ['with a as (select 1) select 1 from a', 'with a'],
    ['select set_config($1, $2, true)', 'select'],
    ['begin', 'begin'],
    ['\n      select count(*) from (select 1)', 'select'],
  ])('%s', (text, summary) => {
    expect(summaryOf(text)).toBe(summary)
  })
})
