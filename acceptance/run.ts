import { readCommandLine } from '../scripts/command-line.ts'
import { avatars } from './avatars.ts'
import { calendars } from './calendars.ts'
import { chat } from './chat.ts'
import { everyWayIn } from './every-way-in.ts'
import { type Exchanges, recordExchanges } from './exchanges.ts'
import { lookAtOffice, NotWalkable } from './first-look.ts'
import { frontDoor } from './front-door.ts'
import { metrics } from './metrics.ts'
import { organizations } from './organizations.ts'
import { type OwnOffice, prepareOwnOffice } from './own-office.ts'
import { presence } from './presence.ts'
import { recordings } from './recordings.ts'
import { restart } from './restart.ts'
import { rooms } from './rooms.ts'
import { createSteps, type Tally, WalkEnded } from './steps.ts'
import type { Office, Walk } from './walk.ts'

const walks: readonly Walk[] = [
  frontDoor,
  everyWayIn,
  organizations,
  avatars,
  presence,
  rooms,
  recordings,
  metrics,
  calendars,
  chat,
  restart,
]

const USAGE = `npx node acceptance/run.ts [--url http://…] [--show] [--retry] [walk …]

Walks through an office from outside. Without --url a fresh one is started for it and removed afterwards.
With --retry a walk that fails is walked once more from its start, and named.
With --show every step is followed by the requests that it made and what was answered; secrets are cut short.
Walks: ${walks.map(({ name, needsOwnOffice }) => (needsOwnOffice ? `${name} (not with --url)` : name)).join(', ')}`

let interrupted = false
let exchanges: Exchanges | undefined

process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals, refuse } = readCommandLine({
    usage: USAGE,
    names: Number.POSITIVE_INFINITY,
    options: { url: { type: 'string' }, show: { type: 'boolean' }, retry: { type: 'boolean' } },
  })
  const unknown = positionals.filter((name) => !walks.some((walk) => walk.name === name))
  if (unknown.length > 0) refuse(`There is no walk ${unknown.join(', ')}.`)
  if (values.url !== undefined && !(/^https?:\/\//.test(values.url) && URL.canParse(values.url)))
    refuse('--url wants http:// or https://')

  if (values.show) exchanges = recordExchanges()
  const chosen = walks.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const tally: Tally = { passed: 0, failed: 0 }
  const tries = values.retry ? 2 : 1
  if (values.url === undefined) await walkThroughOwnOffice(chosen, tally, tries)
  else {
    const url = values.url.replace(/\/+$/, '')
    const fault = await faultOf(url)
    if (fault !== undefined) {
      console.error(fault)
      return 1
    }
    await walkThrough({ url }, chosen, tally, tries)
  }
  console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
  return tally.failed === 0 && tally.passed > 0 ? 0 : 1
}

/** Why an office cannot be walked through; undefined: it can. */
async function faultOf(url: string): Promise<string | undefined> {
  try {
    const doubt = await lookAtOffice(url)
    if (doubt) console.warn(doubt)
    return undefined
  } catch (error) {
    if (error instanceof NotWalkable) return error.message
    throw error
  }
}

async function walkThroughOwnOffice(chosen: readonly Walk[], tally: Tally, tries: number): Promise<void> {
  const own = await prepareOwnOffice()
  removeWhenInterrupted(own)
  try {
    const { step } = createSteps(tally, print, exchanges)
    console.log(own.url)
    await step('a fresh office opens', own.start)
    await walkThrough({ url: own.url, own }, chosen, tally, tries)
  } catch (error) {
    if (!(error instanceof WalkEnded)) throw error
  } finally {
    if (tally.failed > 0) print(`\nThe end of what the office printed:\n${own.output()}`)
    await own.remove()
  }
}

async function walkThrough(
  office: Office,
  chosen: readonly Walk[],
  tally: Tally,
  tries: number,
): Promise<void> {
  for (const walk of chosen) {
    if (walk.needsOwnOffice && !office.own) {
      console.log(`\n${walk.name}: left out, it needs an office of its own`)
      continue
    }
    let { passed, failed } = await walkOnce(office, walk)
    // its people are fresh each time: it begins again in the same office
    for (let again = 1; again < tries && failed > 0; again++) {
      ;({ passed, failed } = await walkOnce(office, walk))
      if (failed === 0) print(`passed only when tried again: ${walk.name}`)
    }
    tally.passed += passed
    tally.failed += failed
  }
}

async function walkOnce(office: Office, walk: Walk): Promise<Tally> {
  print(`\n${walk.name}`)
  const tally: Tally = { passed: 0, failed: 0 }
  const steps = createSteps(tally, print, exchanges)
  try {
    await walk.run(office, steps)
  } catch (error) {
    // what fails between two steps is a failure too
    if (!(error instanceof WalkEnded)) await steps.check('the walk goes on', () => Promise.reject(error))
    print('    the rest of this walk was not tried')
  }
  return tally
}

/** What fails because the office is being closed is no finding. */
function print(line: string): void {
  if (!interrupted) console.log(line)
}

/** Ctrl-C and the like: nothing of the office stays behind. */
function removeWhenInterrupted(own: OwnOffice): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      interrupted = true
      console.log(`\n${signal}: closing the office`)
      void own.remove().then(() => process.exit(code))
    })
  }
}
