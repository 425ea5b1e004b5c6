import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { WebSocket } from 'ws'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import { type Ends, end, start, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const HOST = 'office.example'

interface Node {
  port: number
  child: ChildProcess
  /** What it has logged. */
  log(): string
}

/** The configuration that is deployed, with the addresses and the certificate of this machine, before two nodes. */
export async function tryNginx(
  deployed: { folder: string; program: string; configuration: string },
  check: Check,
  ends: Ends,
): Promise<void> {
  const ports = { https: await freePort(), http: await freePort() }
  const nodes = await startNodes(ports.https, ends)
  const file = await configure(deployed, ports, nodes)
  const nginx = [
    deployed.program,
    ['-p', deployed.folder, '-e', join(deployed.folder, 'error.log'), '-c', file],
  ] as const
  await check('nginx understands its file', async () => void (await run(nginx[0], [...nginx[1], '-t'])))
  start(nginx[0], [...nginx[1], '-g', 'daemon off;'], process.env, ends)
  const ask = asking(ports.https)
  await eventually(
    'nginx answers',
    async () => (await ask('/health/ready').catch(() => undefined))?.status === 200,
  )

  await check('through nginx nodes know whom they answer, under the id that nginx has given', async () => {
    const answer = await ask('/office', {
      'x-forwarded-for': '203.0.113.66',
      'x-request-id': 'chosen-by-a-client',
    })
    assert.equal(answer.status, 200)
    const id = String(answer.headers['x-request-id'])
    assert.match(id, /^[0-9a-f]{32}$/)
    const lines = () => nodes.flatMap((node) => node.log().split('\n')).filter((one) => one.includes(id))
    await eventually('its line in the log', async () => lines().length === 1)
    assert.equal((JSON.parse(lines()[0] as string) as { network: string }).network, '127.0.0.1')
    assert.ok(
      !nodes.some((node) => node.log().includes('a proxy from an address that TRUST_PROXY does not name')),
    )
  })
  await check('it leads to https, and shows nobody the metrics', async () => {
    const plain = await fetch(`http://127.0.0.1:${ports.http}/office?a=b`, { redirect: 'manual' })
    assert.deepEqual([plain.status, plain.headers.get('location')], [301, 'https://127.0.0.1/office?a=b'])
    assert.equal((await ask('/metrics')).status, 404)
  })
  await check('WebSockets are let through', async () => {
    // of two nodes with the embedded broker one sends clients away, in HTTP: the next try leads to the other
    const url = `wss://127.0.0.1:${ports.https}/connection/websocket`
    await eventually('an open WebSocket', () => opens(url))
  })
  await check('a node goes, and nobody notices', async () => {
    const statuses: number[] = []
    let going = true
    const asked = (async () => {
      while (going) statuses.push((await ask('/office')).status)
    })()
    await end(nodes[0]?.child as ChildProcess)
    const before = statuses.length
    await eventually('more requests', async () => statuses.length > before + 50)
    going = false
    await asked
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    )
  })
}

function opens(url: string): Promise<boolean> {
  const socket = new WebSocket(url, { rejectUnauthorized: false, headers: { host: HOST } })
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.terminate()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function startNodes(port: number, ends: Ends): Promise<[Node, Node]> {
  const cluster = await startTemporaryCluster()
  ends.push(cluster.stop)
  const settings = {
    ATRIUM_ENV: 'test',
    LOG_LEVEL: 'info',
    DATABASE_URL: cluster.connectionString,
    DATABASE_WAIT_MS: '30000',
    TRUST_PROXY: 'loopback',
    BASE_URL: `https://127.0.0.1:${port}`,
  }
  const first = await startNode(settings, ends)
  return [first, await startNode(settings, ends)]
}

async function startNode(settings: Record<string, string>, ends: Ends): Promise<Node> {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...settings }
  const child = spawn(process.execPath, ['--no-warnings', ENTRY, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.push(() => end(child))
  let log = ''
  child.stdout.on('data', (chunk) => (log += String(chunk)))
  await untilAnswers(`http://127.0.0.1:${port}/health/live`)
  return { port, child, log: () => log }
}

/** @returns the file for the whole of nginx, which includes the deployed one */
async function configure(
  { folder, configuration }: { folder: string; configuration: string },
  ports: { https: number; http: number },
  [first, second]: [Node, Node],
): Promise<string> {
  const subject = ['-subj', `/CN=${HOST}`, '-days', '2']
  const pair = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...pair, ...subject])
  const site = (await readFile(configuration, 'utf8'))
    .replace('127.0.0.1:3000', `127.0.0.1:${first.port}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${second.port}`)
    .replace('/etc/ssl/office.example.pem', join(folder, 'certificate.pem'))
    .replace('/etc/ssl/office.example.key', join(folder, 'key.pem'))
    .replace('listen 443', `listen 127.0.0.1:${ports.https}`)
    .replace('listen 80', `listen 127.0.0.1:${ports.http}`)
  await writeFile(join(folder, 'site.conf'), site)
  await mkdir(join(folder, 'temporary'))
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder, 'temporary', kind)};`).join('\n')
  const whole = `pid ${join(folder, 'nginx.pid')};
    events {}
    http { access_log off; ${paths} include ${join(folder, 'site.conf')}; }`
  await writeFile(join(folder, 'nginx.conf'), whole)
  return join(folder, 'nginx.conf')
}

/** Over https, by the name of the office. */
function asking(port: number) {
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true })
  return async (path: string, headers: Record<string, string> = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
    request({ port, host: '127.0.0.1', path, agent, headers: { host: HOST, ...headers } }, resolve)
      .once('error', reject)
      .end()
    const answer = await promise
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
  }
}
