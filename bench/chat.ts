import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Benchmark, BenchmarkOptions, Contest, Sample } from './benchmark.ts'
import { furnish } from './chat-history.ts'
import { type FirstPerson, signUp } from './first-person.ts'
import { applyLoad } from './load.ts'
import { prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'

const CONNECTIONS = 20
const WARM_UP_SECONDS = 3

interface Called {
  name: string
  args: (conversation: string) => Record<string, string | number>
  rows: number
}

/** The same function, called over HTTP with a token, and by pgbench itself with the same role and claims. */
function chatBenchmark(name: string, called: Called): Benchmark {
  return {
    name,
    describe: `POST /rest/v1/rpc/${called.name} (${called.rows} rows; 1,000,000 messages in 10,000 conversations) with ${CONNECTIONS} connections, against pgbench calling the function on the same server with as many`,
    unit: 'requests/s',
    goal: { ratioMin: 0.35 },
    prepare: (options) => prepare(called, options),
  }
}

export const chatMessages = chatBenchmark('chat-messages', {
  name: 'get_conversation_messages',
  args: (conversation) => ({ p_conversation_id: conversation, p_limit: 50 }),
  rows: 50,
})

export const chatRecentDms = chatBenchmark('chat-recent-dms', {
  name: 'get_recent_dms',
  args: () => ({ p_limit: 20 }),
  rows: 20,
})

async function prepare(called: Called, { seconds }: BenchmarkOptions): Promise<Contest> {
  const office = await prepareOffice({ DATABASE_POOL_SIZE: String(CONNECTIONS) })
  const closing: (() => Promise<unknown>)[] = [() => office.remove()]
  const close = async () => {
    for (let next = closing.pop(); next; next = closing.pop()) await next()
  }
  try {
    const development = await office.start('development')
    const person = await signUp(office.url).finally(() => development.stop())
    const production = await office.start('production')
    closing.push(() => production.stop())
    const databaseUrl = await office.databaseUrl()
    const conversation = await furnish(databaseUrl, person)
    const { url, request, claims } = await requestOf(office.url, person, called, conversation)
    const script = await scriptOf(called, conversation)
    closing.push(() => rm(script))

    pinMeasured(production.pid)
    const unpin = pinLoad()
    closing.push(async () => unpin())
    const subject = (duration = seconds) =>
      applyLoad({ ...request, url, pid: production.pid, connections: CONNECTIONS, seconds: duration })
    const baseline = (duration = seconds) => pgbench(databaseUrl, script, claims, duration)
    for (const side of [subject, baseline]) await side(WARM_UP_SECONDS)
    return { subject: () => subject(), baseline: () => baseline(), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function requestOf(officeUrl: string, person: FirstPerson, called: Called, conversation: string) {
  const base = officeUrl.replace('localhost', '127.0.0.1')
  const minted = await fetch(`${base}/api/v1/realtime/token`, {
    method: 'POST',
    headers: { cookie: person.cookie },
  })
  const { token } = (await minted.json()) as { token: string }
  const { user_id, org_id } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(called.args(conversation)),
  } as const
  const url = `${base}/rest/v1/rpc/${called.name}`
  const answer = await fetch(url, request)
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as unknown[]).length, called.rows)
  return { url, request, claims: JSON.stringify({ user_id, org_id }) }
}

async function scriptOf({ name, args }: Called, conversation: string): Promise<string> {
  const named = Object.entries(args(conversation)).map(([parameter, value]) => `${parameter} => ${value}`)
  const path = join(tmpdir(), `atrium-bench-${randomUUID()}.sql`)
  await writeFile(path, `select * from ${name}(${named.join(', ')});\n`)
  return path
}

/** Prepared statements, the role and the claims of the token: the least that the database has to do for a request. */
async function pgbench(
  databaseUrl: string,
  script: string,
  claims: string,
  seconds: number,
): Promise<Sample> {
  const { stdout } = await promisify(execFile)(
    'pgbench',
    [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(CONNECTIONS),
      '-j',
      '1',
      '-T',
      String(seconds),
      '-f',
      script,
      databaseUrl,
    ],
    { env: { ...process.env, PGOPTIONS: `-c role=authenticated -c request.jwt.claims=${claims}` } },
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('pgbench is not installed (postgresql-contrib)') : error
  })
  const [, perSecond] = /tps = ([\d.]+)/.exec(stdout) ?? []
  const [, average] = /latency average = ([\d.]+)/.exec(stdout) ?? []
  return { value: Number(perSecond), details: { 'average ms': Number(average) } }
}
