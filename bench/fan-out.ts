import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Sample } from './benchmark.ts'
import { signUp } from './first-person.ts'
import { prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'
import { freePort } from './server-process.ts'
import { ascending, quantile } from './statistics.ts'

const CENTRIFUGO =
  process.env.CENTRIFUGO_BIN || fileURLToPath(new URL('../.engines/centrifugo', import.meta.url))
const CONFIGURATION = new URL('../deploy/centrifugo/config-v5.json', import.meta.url)
const SECRET = 'a secret of this benchmark only'
const CONNECTIONS = 1_000
const EVENTS = 30
const ARRIVES_WITHIN_MS = 30_000

/** Many clients that count what arrives. */
interface Crowd {
  /** Resolves when every client has heard `text` once. */
  all(text: string): Promise<void>
  close(): void
}

export const fanOut: Benchmark = {
  name: 'fan-out',
  describe: `a status change until all of ${CONNECTIONS} clients have it, through table, outbox and embedded broker, against a direct publish of a real Centrifugo v5 to as many (deliveries a second)`,
  unit: 'requests/s',
  // ours goes a longer way, through request, table and outbox
  goal: { ratioMin: 0.5 },
  async prepare() {
    if (!existsSync(CENTRIFUGO))
      throw new Error('there is no Centrifugo here: npm run test:engines centrifugo builds it')
    const closing: (() => Promise<unknown>)[] = []
    const close = async () => {
      for (let next = closing.pop(); next; next = closing.pop()) await next()
    }
    try {
      const office = await prepareOffice()
      closing.push(() => office.remove())
      const development = await office.start('development')
      const person = await signUp(office.url).finally(() => development.stop())
      const production = await office.start('production')
      closing.push(() => production.stop())
      const centrifugo = await startCentrifugo(closing)
      for (const pid of [production.pid, centrifugo.pid]) pinMeasured(pid)
      const unpin = pinLoad()
      closing.push(async () => unpin())

      const answer = await fetch(`${office.url}/websocket/token`, {
        method: 'POST',
        headers: { cookie: person.cookie },
      })
      const ours = (await answer.json()) as { token: string; url: string }
      const status = String(claimsOf(ours.token).channels[0]).replace(/^user:/, 'status:')
      const before = [memoryOf(production.pid), memoryOf(centrifugo.pid)] as const
      const near = await gather(ours.url, ours.token, status)
      closing.push(async () => near.close())
      const far = await gather(centrifugo.url, centrifugo.token)
      closing.push(async () => far.close())
      const perConnection = [production.pid, centrifugo.pid].map(
        (pid, side) => (memoryOf(pid) - (before[side] ?? 0)) / CONNECTIONS,
      )

      let made = 0
      const change = async () => {
        made += 1
        const chosen = made % 2 ? 'busy' : 'away'
        await Promise.all([
          near.all(`"${chosen}"`),
          post(`${office.url}/presence/status`, { cookie: person.cookie }, { status: chosen }),
        ])
      }
      const publish = async () => {
        made += 1
        const text = `event ${made}.`
        await Promise.all([
          far.all(text),
          post(
            `${centrifugo.api}/publish`,
            { 'x-api-key': SECRET },
            { channel: 'org:bench', data: { text } },
          ),
        ])
      }
      const subject = () => run(change, perConnection[0] ?? 0)
      const baseline = () => run(publish, perConnection[1] ?? 0)
      for (const side of [subject, baseline]) await side()
      return { subject, baseline, close }
    } catch (error) {
      await close()
      throw error
    }
  },
}

async function run(event: () => Promise<void>, kilobytes: number): Promise<Sample> {
  const times: number[] = []
  for (let number = 0; number < EVENTS; number += 1) {
    const began = performance.now()
    await event()
    times.push(performance.now() - began)
  }
  const sorted = ascending(times)
  const [median, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  return {
    value: (CONNECTIONS * 1_000) / median,
    details: { 'last ms': median, 'p99 ms': p99, 'kB each': kilobytes },
  }
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, url)
  await answer.text()
}

/** Connects one after the other, so that the door is not what is measured. */
async function gather(address: string, token: string, channel?: string): Promise<Crowd> {
  const sockets: WebSocket[] = []
  let waiting: { text: string; left: number; resolve: () => void } | undefined
  const commands: object[] = [{ id: 1, connect: { token } }]
  if (channel) commands.push({ id: 2, subscribe: { channel } })
  const lastId = `"id":${commands.length}`
  for (let number = 0; number < CONNECTIONS; number += 1) {
    const socket = new WebSocket(address)
    sockets.push(socket)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => socket.send(commands.map((command) => JSON.stringify(command)).join('\n'))
      socket.onclose = ({ code, reason }) => reject(new Error(`${address}: ${code} ${reason}`))
      socket.onmessage = ({ data }) => {
        const text = String(data)
        if (text.includes(lastId)) resolve()
        for (const line of text.split('\n')) if (line === '{}') socket.send('{}')
        if (!waiting || !text.includes(waiting.text)) return
        waiting.left -= 1
        if (waiting.left === 0) waiting.resolve()
      }
    })
  }
  return {
    all: (text) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`${text} did not arrive everywhere`)),
          ARRIVES_WITHIN_MS,
        )
        waiting = {
          text,
          left: CONNECTIONS,
          resolve() {
            clearTimeout(late)
            resolve()
          },
        }
      }),
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

/** With the configuration that we deploy, but alone and without an outbox. */
async function startCentrifugo(closing: (() => Promise<unknown>)[]) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-centrifugo-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const [port, internalPort] = [await freePort(), await freePort()]
  const {
    engine: _engine,
    redis_address: _address,
    ...config
  } = JSON.parse(await readFile(CONFIGURATION, 'utf8'))
  const place = {
    address: '127.0.0.1',
    port: `${port}`,
    internal_address: '127.0.0.1',
    internal_port: `${internalPort}`,
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, ...place, consumers: [] }))
  const child = spawn(CENTRIFUGO, ['-c', join(folder, 'config.json'), '--log_level', 'error'], {
    stdio: 'ignore',
    env: { CENTRIFUGO_TOKEN_HMAC_SECRET_KEY: SECRET, CENTRIFUGO_API_KEY: SECRET },
  })
  closing.push(() => end(child))
  const deadline = Date.now() + ARRIVES_WITHIN_MS
  while (!(await fetch(`http://127.0.0.1:${internalPort}/health`).catch(() => undefined))?.ok)
    assert.ok(Date.now() < deadline, 'Centrifugo answers')
  return {
    pid: child.pid ?? 0,
    url: `ws://127.0.0.1:${port}/connection/websocket`,
    api: `http://127.0.0.1:${internalPort}/api`,
    token: sign({ sub: 'user_bench', channels: ['org:bench'], exp: Math.floor(Date.now() / 1_000) + 3_600 }),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function sign(claims: object): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
}

function claimsOf(token: string): { channels: string[] } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { channels: string[] }
}

/** Resident, in kB; 0 where the system does not tell. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
