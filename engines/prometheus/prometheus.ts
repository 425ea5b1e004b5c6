import assert from 'node:assert/strict'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import pg from 'pg'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { type Ends, start, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { installPrometheus, prometheusProgram, promtoolProgram } from './program.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const DEPLOYED = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url))
const TOKEN = 'a-token-for-the-collector-0123456789abcdef'
const MEDIA = { key: 'prometheus-test', secret: 'a-secret-of-the-media-server-0123456789' }
/** Several scrapes. */
const WITHIN_MS = 40_000

/** The collector that is deployed, with the configuration that is deployed. */
export const prometheus: Engine = {
  name: 'prometheus',
  about: 'Prometheus (Debian) with deploy/prometheus, on an office that wants its token',
  install: installPrometheus,
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-prometheus-'))
    const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
    try {
      await check('the alert rules are sound, and go off when they should', async () => {
        await run(promtoolProgram(), ['check', 'rules', 'alerts.yml', 'alerts-of-parts.yml'], {
          cwd: DEPLOYED,
        })
        await run(promtoolProgram(), ['test', 'rules', 'alerts.test.yml'], { cwd: DEPLOYED })
      })
      await tryScrape(folder, check, ends)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}

async function tryScrape(folder: string, check: Check, ends: Ends): Promise<void> {
  const office = await startOffice(folder, ends)
  const organization = await fillOffice(office)
  await check('promtool finds nothing to say about the page', async () => {
    const text = await (await readMetrics(office.url)).text()
    assert.match(text, new RegExp(`rtc_room_active\\{org_id="${organization}"`))
    await writeFile(join(folder, 'metrics.txt'), text)
    const promtool = ['-c', `"${promtoolProgram()}" check metrics < "${join(folder, 'metrics.txt')}"`]
    assert.equal((await run('sh', promtool)).trim(), '')
  })
  const url = await startPrometheus(folder, office.port, ends)
  const ask = async (query: string) => {
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`)
    const { data } = (await answer.json()) as {
      data: { result: { metric: Record<string, string>; value: [number, string] }[] }
    }
    return data.result
  }
  await check('Prometheus scrapes the office with its token, in good time', async () => {
    await seen('the office is up', async () => (await ask('up{service="atrium"}'))[0]?.value[1] === '1')
    const [took] = await ask('scrape_duration_seconds{service="atrium"}')
    assert.ok(Number(took?.value[1]) < 10, `it took ${took?.value[1]} s`)
  })
  await check('series carry our labels and those of the collector', async () => {
    await seen('the room', async () => (await ask(`rtc_room_active{org_id="${organization}"}`)).length === 1)
    const [room] = await ask(`rtc_room_active{org_id="${organization}"}`)
    const { org_id, project, region, environment, service } = room?.metric ?? {}
    assert.deepEqual(
      { org_id, project, region, environment, service },
      {
        org_id: organization,
        project: 'atrium',
        region: 'eu-1',
        environment: 'production',
        service: 'atrium',
      },
    )
    assert.equal(room?.value[1], '1')
    const [own] = await ask('rtc_participant_lifetime_seconds_count')
    assert.equal(own?.value[1], '1')
  })
  await check('the queries of the dashboards are understood', async () => {
    for (const name of ['atrium.json', 'atrium-nodes.json', 'atrium-parts.json'])
      await tryDashboard(name, url)
  })
  await check('a node tells of its requests, its database, its jobs, its files and its disk', async () => {
    for (const query of [
      'http_request_seconds_count{operation="devSignIn",status="2xx"} > 0',
      'database_connections_max{pool="requests"} > 0',
      'job_runs_total{job_name="measure-process",outcome="ok"} > 0',
      'background_work_oldest_seconds{queue="mail",class="code"} == 0',
      'process_open_fds < process_max_fds',
      'data_disk_free_bytes < data_disk_size_bytes',
      'atrium_build_info == 1',
    ])
      await seen(query, async () => (await ask(query)).length === 1)
  })
  await check('without its token the office is not read', async () => {
    assert.equal((await fetch(`${office.url}/metrics`)).status, 401)
  })
}

async function tryDashboard(name: string, url: string): Promise<void> {
  const dashboard = JSON.parse(await readFile(join(DEPLOYED, '../grafana', name), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  for (const { title, targets } of dashboard.panels)
    for (const { expr } of targets) {
      const query = expr.replaceAll(/\$(org_id|instance)/g, '.*')
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`)
      assert.equal(answer.status, 200, `${name}, ${title}: ${expr}`)
    }
}

interface RunningOffice {
  url: string
  port: number
  databaseUrl: string
}

async function startOffice(folder: string, ends: Ends): Promise<RunningOffice> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ATRIUM_ENV: 'test',
    HOST: '0.0.0.0',
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: `${folder}/office`,
    LIVEKIT_URL: 'http://127.0.0.1:9',
    LIVEKIT_API_KEY: MEDIA.key,
    LIVEKIT_API_SECRET: MEDIA.secret,
    MEDIA_SWEEP_SECONDS: '0',
    METRICS_TOKEN: TOKEN,
    METRICS_REGION: 'eu-1',
    METRICS_REFRESH_SECONDS: '1',
  }
  start(process.execPath, ['--no-warnings', ENTRY, 'serve'], settings, ends)
  await untilAnswers(`${url}/health/live`)
  const printed = await run(process.execPath, ['--no-warnings', ENTRY, 'database-url'], {
    env: settings as never,
  })
  return { url, port, databaseUrl: printed.trim() }
}

/** An organization with a room in which something happens. @returns its id */
async function fillOffice(office: RunningOffice): Promise<string> {
  const signedIn = await fetch(`${office.url}/auth/dev-sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(signedIn.status, 200)
  const room = randomUUID()
  const client = new pg.Client(office.databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ org: string; person: string }>(
    `insert into rooms (id, organization_id, name, created_by, created_at)
     select $1, m.organization_id, 'a room', m.user_id, now() from memberships m limit 1
     returning (select identity_organization_id from organizations where id = organization_id) as org,
       created_by as person`,
    [room],
  )
  await client.end()
  const [made] = rows
  assert.ok(made)
  const now = Math.floor(Date.now() / 1_000)
  const session = { sid: 'RM_engine', name: room, creationTime: String(now - 60) }
  const participant = { sid: 'PA_engine', identity: made.person, joinedAt: String(now - 50) }
  const track = { sid: 'TR_engine', source: 'CAMERA', type: 'VIDEO' }
  const startedAt = `${now - 30}000000000`
  const egress = { egressId: 'EG_engine', roomName: room, roomComposite: {}, startedAt }
  const ingress = { ingressId: 'IN_engine', roomName: room, state: { startedAt } }
  const events = [
    { event: 'room_started', room: session },
    { event: 'participant_joined', room: session, participant },
    { event: 'track_published', room: session, participant, track },
    { event: 'participant_connection_aborted', room: session, participant: { sid: 'PA_aborted' } },
    { event: 'participant_left', room: session, participant },
    { event: 'room_finished', room: { sid: 'RM_earlier', name: room, creationTime: String(now - 60) } },
    { event: 'room_started', room: { sid: 'RM_stranger', name: randomUUID() } },
    { event: 'egress_started', egressInfo: egress },
    { event: 'egress_ended', egressInfo: { ...egress, status: 'EGRESS_COMPLETE' } },
    { event: 'ingress_started', ingressInfo: ingress },
    { event: 'ingress_ended', ingressInfo: ingress },
  ]
  for (const event of events)
    await deliver(office.url, { ...event, id: randomUUID(), createdAt: String(now) })
  await seen('the stream brought in', async () =>
    (await (await readMetrics(office.url)).text()).includes('rtc_ingress_ended_total{'),
  )
  await seen('the person', async () =>
    /rtc_unique_participants\{.*\} 1/.test(await (await readMetrics(office.url)).text()),
  )
  return made.org
}

async function deliver(url: string, event: object): Promise<void> {
  const body = JSON.stringify(event)
  const now = Math.floor(Date.now() / 1_000)
  const sha256 = createHash('sha256').update(body).digest('base64')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: MEDIA.key, nbf: now, exp: now + 300, sha256 }
  const signed = `${part({ alg: 'HS256' })}.${part(claims)}`
  const authorization = `${signed}.${createHmac('sha256', MEDIA.secret).update(signed).digest('base64url')}`
  const headers = { 'content-type': 'application/webhook+json', authorization }
  const answer = await fetch(`${url}/webhook`, { method: 'POST', headers, body })
  assert.equal(answer.status, 200)
}

function readMetrics(url: string): Promise<Response> {
  return fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
}

/** The deployed configuration, with what is in capitals there filled in, and in more of a hurry. */
async function startPrometheus(folder: string, officePort: number, ends: Ends): Promise<string> {
  const token = join(folder, 'token')
  await writeFile(token, TOKEN, { mode: 0o600 })
  const deployed = await readFile(join(DEPLOYED, 'prometheus.yml'), 'utf8')
  assert.match(deployed, /scrape_interval: 15s\n {2}scrape_timeout: 10s/)
  const config = deployed
    .replace('scrape_interval: 15s', 'scrape_interval: 1s')
    .replace('scrape_timeout: 10s', 'scrape_timeout: 1s')
    .replace('alerts.yml', join(DEPLOYED, 'alerts.yml'))
    .replace('/etc/prometheus/atrium-metrics-token', token)
    .replace('ATRIUM_HOST:3000', `127.0.0.1:${officePort}`)
    .replace('region: REGION', 'region: of-the-collector')
  const path = join(folder, 'prometheus.yml')
  await writeFile(path, config)
  await run(promtoolProgram(), ['check', 'config', path])
  const port = await freePort()
  const args = [
    `--config.file=${path}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]
  start(prometheusProgram(), args, { PATH: process.env.PATH }, ends)
  await untilAnswers(`http://127.0.0.1:${port}/-/ready`)
  return `http://127.0.0.1:${port}`
}

async function seen(what: string, condition: () => Promise<boolean>): Promise<void> {
  await eventually(what, condition, { withinMs: WITHIN_MS, everyMs: 250 })
}
