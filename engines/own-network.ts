import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { run } from './commands.ts'
import type { Check } from './engine.ts'
import { within } from './waiting.ts'

/**
 * A network of its own: WebRTC clients ignore loopback interfaces, so it has a pair of others, with one address inside,
 * and no way out.
 */
const NETWORK = `address=$1
shift
ip link set lo up
ip link add rtc0 type veth peer name rtc1
ip addr add $address/32 dev rtc0
ip link set rtc0 up
ip link set rtc1 up
exec "$@"`

/** One line of what is reported from inside: a check begins, and later ends. */
interface Reported {
  name: string
  is: 'begun' | 'passed' | 'failed'
  error?: string
}

/** The channel of the reports: what is written to the output is the clients' chatter. */
const REPORTS = 3

/** @returns why there can be none here */
export async function missingOwnNetwork(): Promise<string | undefined> {
  try {
    await run('unshare', ['-n', 'ip', 'link'])
    return undefined
  } catch {
    return 'it wants a network of its own: unshare -n and ip, as root'
  }
}

/** Runs a script in such a network; the checks that it reports by `reportingCheck` are those of the engine. */
export async function tryInOwnNetwork(script: string, address: string, check: Check): Promise<void> {
  const program = [process.execPath, '--no-warnings', script]
  const command = ['sh', '-ec', NETWORK, 'network', address, ...program]
  await tryInside(['unshare', '-n', ...command], check)
}

/** Runs a command with a program that reports its checks by `reportingCheck`. */
export async function tryInside(
  [command = '', ...args]: readonly string[],
  check: Check,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'], env })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await relay(child.stdio[REPORTS] as Readable, check)
  const code = await ended
  if (code !== 0) await check('ends well', () => Promise.reject(new Error(`it ended with ${code}`)))
}

/** For the script inside: reports each check as a line of JSON. */
export function reportingCheck(withinMs: number): Check {
  const report = (line: Reported) => writeSync(REPORTS, `${JSON.stringify(line)}\n`)
  return async (name, work) => {
    report({ name, is: 'begun' })
    try {
      await within(name, work(), withinMs)
      report({ name, is: 'passed' })
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
      report({ name, is: 'failed', error: reason })
    }
  }
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
