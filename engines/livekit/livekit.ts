import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Check, Engine } from '../engine.ts'
import { installLivekit } from './program.ts'

const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url))

/**
 * A network of its own: WebRTC clients ignore loopback interfaces, so it has a pair of others, one address inside
 * 127/8, and no way out.
 */
const NETWORK = `ip link set lo up
ip link add rtc0 type veth peer name rtc1
ip addr add 127.0.0.2/32 dev rtc0
ip link set rtc0 up
ip link set rtc1 up
exec "$@"`

/** One line of what is reported from inside: a check begins, and later ends. */
export interface Reported {
  name: string
  is: 'begun' | 'passed' | 'failed'
  error?: string
}

/** The channel of the reports: what is written to the output is the clients' chatter. */
export const REPORTS = 3

/** A real LiveKit with an office beside it and official clients in the rooms. */
export const livekit: Engine = {
  name: 'livekit',
  about:
    'LiveKit 1.13.5 (or LIVEKIT_BIN), by LIVEKIT_URL, with official WebRTC clients; recordings stay with the stand-in',
  install: installLivekit,
  async try(check) {
    const command = ['sh', '-ec', NETWORK, 'network', process.execPath, '--no-warnings', INSIDE]
    const child = spawn('unshare', ['-n', ...command], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    await relay(child.stdio[REPORTS] as Readable, check)
    const code = await ended
    if (code !== 0) await check('ends well', () => Promise.reject(new Error(`it ended with ${code}`)))
  },
}

async function relay(reports: Readable, check: Check): Promise<void> {
  let begun: PromiseWithResolvers<void> | undefined
  let last: Promise<void> = Promise.resolve()
  for await (const line of createInterface(reports)) {
    const { name, is, error } = JSON.parse(line) as Reported
    if (is === 'begun') {
      const current = Promise.withResolvers<void>()
      begun = current
      last = check(name, () => current.promise)
    } else if (is === 'passed') begun?.resolve()
    else begun?.reject(new Error(error))
    if (is !== 'begun') await last
  }
  // whatever was under way when it broke off
  begun?.reject(new Error('it broke off'))
  await last
}
