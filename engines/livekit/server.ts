import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { parse, stringify } from 'yaml'
import { untilAnswers } from '../processes.ts'
import { livekitProgram } from './program.ts'

export const LIVEKIT = {
  url: 'http://127.0.0.1:17880',
  publicUrl: 'ws://127.0.0.1:17880',
  apiKey: 'devkey',
  apiSecret: 'an-engine-secret-of-more-than-32-characters',
} as const

const NUMBERS_PORT = 17889
/** With participants inside it waits for them to go, until it is told once more. */
const TOLD_AGAIN_AFTER_MS = 1_500

/** Where clients come from, and how many may come into one room. */
export interface LivekitPlace {
  address: string
  interfaces: string
  peopleMax?: number
}

const LOOPBACK: LivekitPlace = { address: '127.0.0.1', interfaces: 'lo' }

const DEPLOYED = new URL('../../deploy/livekit/livekit.yaml', import.meta.url)

interface Deployed {
  rtc: object
  room: object
  webhook: object
  [chapter: string]: unknown
}

/** What is deployed, with addresses and patience of a test. Strict: an unknown key stops the start. */
async function configuration(
  webhookUrl: string,
  { address, interfaces, peopleMax = 0 }: LivekitPlace,
): Promise<string> {
  const { redis: _redis, ...deployed } = parse(await readFile(DEPLOYED, 'utf8')) as Deployed
  return stringify({
    ...deployed,
    port: Number(new URL(LIVEKIT.url).port),
    bind_addresses: ['127.0.0.1'],
    rtc: {
      ...deployed.rtc,
      tcp_port: 0,
      udp_port: 17_882,
      use_external_ip: false,
      node_ip: address,
      enable_loopback_candidate: true,
      interfaces: { includes: [interfaces] },
      ips: { includes: [`${address}/32`] },
      stun_servers: ['127.0.0.1:3478'],
    },
    keys: { [LIVEKIT.apiKey]: LIVEKIT.apiSecret },
    room: { ...deployed.room, empty_timeout: 30, departure_timeout: 5, max_participants: peopleMax },
    webhook: { ...deployed.webhook, api_key: LIVEKIT.apiKey, urls: [webhookUrl] },
    psrpc: { max_attempts: 1 },
    prometheus: { port: NUMBERS_PORT },
    logging: { level: 'error', json: true },
  })
}

export interface LivekitServer {
  /** SIGKILL: nobody is told anything. */
  kill(): Promise<void>
  /** SIGTERM, and once more: participants are put out, and of rooms nothing is said. */
  shutDown(): Promise<void>
  /** How many of its webhooks it has given up since it started. */
  lost(): Promise<number>
  start(): Promise<void>
  /** Of its process; undefined while there is none. */
  pid(): number | undefined
  stop(): Promise<void>
}

export function livekitServer(webhookUrl: string, place = LOOPBACK): LivekitServer {
  let child: ChildProcess | undefined
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    async start() {
      const env = { PATH: process.env.PATH, LIVEKIT_CONFIG: await configuration(webhookUrl, place) }
      child = spawn(livekitProgram(), [], { env, stdio: 'ignore' })
      await untilAnswers(LIVEKIT.url)
    },
    kill,
    pid: () => child?.pid,
    async shutDown() {
      const ending = child
      if (!ending) return
      const gone = once(ending, 'exit')
      ending.kill('SIGTERM')
      const again = setTimeout(() => ending.kill('SIGTERM'), TOLD_AGAIN_AFTER_MS)
      await gone
      clearTimeout(again)
    },
    async lost() {
      const text = await (await fetch(`http://127.0.0.1:${NUMBERS_PORT}/metrics`)).text()
      const counts = text.matchAll(/^livekit_webhook_dispatch_total\{(.*)\} (\d+)$/gm)
      return [...counts]
        .filter(([, labels = '']) => !labels.includes('status="success"'))
        .reduce((sum, [, , count]) => sum + Number(count), 0)
    },
    // with participants inside it would wait for them for ever
    stop: kill,
  }
}
