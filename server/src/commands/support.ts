import { writeFile } from 'node:fs/promises'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import type { Command } from 'commander'
import type { Environment } from '../configuration/setting-reader.ts'
import { type Setting, settings } from '../configuration/settings.ts'
import { systemClock } from '../platform/clock.ts'
import { VERSION } from '../platform/version.ts'
import type { OperatorContext } from './operator-commands.ts'
import { askRunningNode } from './running-node.ts'

const FILE_MODE = 0o600

/** Adds `atrium support`. */
export function addSupportCommand(
  program: Command,
  context: OperatorContext,
  { environment, root }: { environment: Environment; root: string },
): void {
  program
    .command('support <file>')
    .description(
      'write what others need to help you: settings, doctor, load; no secret, and nothing of a person',
    )
    .action(async (file: string) => {
      const bundle = {
        madeAt: systemClock.now().toISOString(),
        release: VERSION,
        machine: machine(),
        settings: plainSettings(environment),
        doctor: await findings(environment, root),
        node: await runningNode(context),
      }
      const text = `${JSON.stringify(bundle, (_key, value) => withoutPersons(value), 2)}\n`
      // never in the place of something that is there
      await writeFile(file, text, { mode: FILE_MODE, flag: 'wx' })
      context.print(`Written to ${file}: read it before you give it away`)
      context.end()
    })
}

function machine() {
  return {
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    processors: cpus().length,
    memoryBytes: totalmem(),
  }
}

/** Numbers, switches and choices as they are; of texts, addresses and secrets only that they are given. */
function plainSettings(environment: Environment): Record<string, string> {
  const given = (settings as readonly Setting[]).filter(({ name }) => environment[name]?.trim())
  return Object.fromEntries(
    given.map(({ name, kind }) => [name, PLAIN.includes(kind) ? (environment[name] ?? '') : '(given)']),
  )
}

const PLAIN: readonly Setting['kind'][] = ['number', 'choice', 'boolean']

async function findings(environment: Environment, root: string) {
  const { doctor } = await import('./doctor/doctor.ts')
  return await doctor(environment, root)
}

/** People by their place alone: their ids lead to them for everyone with the database. */
async function runningNode(context: OperatorContext) {
  try {
    const report = await askRunningNode(await context.configuration())
    const people = report.load.people.top.map((row, index) => ({ ...row, key: `person ${index + 1}` }))
    return { ...report, load: { ...report.load, people: { ...report.load.people, top: people } } }
  } catch (error) {
    return { silent: (error as Error).message }
  }
}

const E_MAIL = /[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+/g
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g
const IPV6 = /(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/gi

/** Sentences of other programs repeat addresses. */
function withoutPersons(value: unknown): unknown {
  if (typeof value !== 'string' || ISO_TIME.test(value)) return value
  return value
    .replaceAll(E_MAIL, '(e-mail)')
    .replaceAll(IPV4, (address) => (LOCAL.test(address) ? address : '(address)'))
    .replaceAll(IPV6, (address) => (address === '::1' || address === '::' ? address : '(address)'))
}

const LOCAL = /^(?:127\.0\.0\.1|0\.0\.0\.0)$/
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
