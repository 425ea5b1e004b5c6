import { once } from 'node:events'
import { createServer, get } from 'node:http'
import pg from 'pg'
import type { Benchmark, Contest, Sample } from './benchmark.ts'
import { prepareOffice } from './office.ts'
import { processorTime } from './processor-time.ts'

const SCRAPES = 20
const READY_WITHIN_MS = 120_000
/** Compressed, of one organization, at the least. */
export const BYTES_MIN = 40

/** What a scrape costs where a great many organizations are active, and where fewer are. */
export const metricsScrape = scrapeOf('metrics-scrape', 5_000)
export const metricsScrapeSmall = scrapeOf('metrics-scrape-1000', 1_000)

/** Series as they are after a month of use. */
function scrapeOf(name: string, organizations: number): Benchmark {
  return {
    name,
    describe: `processor time of one GET /metrics, compressed, of ${organizations} active organizations, as production serves it, against bare node:http that sends as many bytes`,
    unit: 'ms',
    goal: { subjectMax: 10 },
    prepare: () => open(organizations),
  }
}

async function open(organizations: number): Promise<Contest> {
  const office = await prepareOffice({ METRICS_REFRESH_SECONDS: '86400', MEDIA_SWEEP_SECONDS: '0' })
  const closing: (() => Promise<unknown>)[] = [() => office.remove()]
  const close = async () => {
    for (let next = closing.pop(); next; next = closing.pop()) await next()
  }
  try {
    const production = await office.start('production')
    closing.push(() => production.stop())
    await fill(await office.databaseUrl(), organizations)
    const url = `${office.url.replace('localhost', '127.0.0.1')}/metrics`
    const bytes = await untilWhole(url, organizations * BYTES_MIN)
    const bare = createServer((_request, response) => response.end(bytes)).listen(0, '127.0.0.1')
    await once(bare, 'listening')
    closing.push(async () => bare.close())
    const address = bare.address()
    const bareUrl = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
    return {
      subject: () => scrapes(url, production.pid),
      // asker and answerer are one process here: all of it is counted
      baseline: () => scrapes(bareUrl, process.pid),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function scrapes(url: string, pid: number): Promise<Sample> {
  const before = processorTime(pid) ?? Number.NaN
  const began = performance.now()
  let bytes = 0
  for (let count = 0; count < SCRAPES; count += 1) bytes = (await read(url)).length
  const wholeMs = (performance.now() - began) / SCRAPES
  const used = (processorTime(pid) ?? Number.NaN) - before
  return { value: used / 1_000 / SCRAPES, details: { 'answer ms': wholeMs, 'compressed KB': bytes / 1_024 } }
}

export function read(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const asking = get(url, { headers: { 'accept-encoding': 'gzip' }, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve(Buffer.concat(parts)))
    })
    asking.on('error', reject)
  })
}

/** The text is made in the background: waits until it no longer grows. */
export async function untilWhole(url: string, bytesMin: number): Promise<Buffer> {
  const deadline = Date.now() + READY_WITHIN_MS
  let last = await read(url)
  for (let same = 0; same < 12; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const now = await read(url)
    // the part of the node changes a little from second to second
    same = now.length > bytesMin && Math.abs(now.length - last.length) < 500 ? same + 1 : 0
    last = now
    if (Date.now() > deadline) throw new Error('the page did not become whole in time')
  }
  return last
}

const PLAIN = ['rtc_room_active', 'rtc_rooms_started_total', 'rtc_participants_active']
const MORE = ['rtc_participant_sessions_total', 'rtc_participants_connected', 'rtc_egress_active']
const HISTOGRAMS = [
  'rtc_participant_lifetime_seconds',
  'rtc_room_duration_seconds',
  'rtc_egress_duration_seconds',
]
const WINDOWED = [
  ['rtc_egress_completed', ['1d', '7d', '30d']],
  ['rtc_egress_total_duration_seconds', ['1d', '7d', '30d']],
  ['rtc_unique_participants', ['7d', '30d']],
  ['rtc_participant_total_online_seconds', ['7d', '30d']],
] as const

export async function fill(databaseUrl: string, organizations: number): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(
    `insert into organizations (identity_organization_id, name, created_at, updated_at)
     select 'org_' || lpad(n::text, 26, '0'), 'Organization ' || n, now(), now() from generate_series(1, $1) as n`,
    [organizations],
  )
  const add = (metric: string, more: string, buckets: string | null) =>
    client.query(
      `insert into metric_series (organization_id, metric, labels, value, buckets)
       select id, $1, 'org_id="' || identity_organization_id || '"' || $2, (random() * 1000)::int, $3::bigint[]
       from organizations`,
      [metric, more, buckets],
    )
  for (const metric of [...PLAIN, ...MORE]) await add(metric, '', null)
  for (const metric of HISTOGRAMS) await add(metric, '', '{1,2,3,4,5,6,7,8,9}')
  for (const [metric, windows] of WINDOWED)
    for (const window of windows) await add(metric, `,window="${window}"`, null)
  for (const source of ['camera', 'microphone', 'screen_share'])
    await add('rtc_tracks_active', `,source="${source}",type="video"`, null)
  await add('rtc_egress_ended_total', ',result="success",request_type="room_composite"', null)
  await add('rtc_egress_started_total', ',request_type="room_composite"', null)
  await add('rtc_org_info', ',org_name="An organization"', null)
  await client.end()
}
