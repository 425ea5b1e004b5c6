import { type LimitName, limitNames, organizationLimits } from '@atrium/contract'
import type { Command } from 'commander'
import { listLimitsOf, setLimit, unsetLimit } from '../access/budgets/organization-limit-store.ts'
import { isLimit, rememberLimits } from '../access/budgets/organization-limits.ts'
import { deploymentLimits } from '../compose/deployment-limits.ts'
import { limitUsage } from '../compose/features/limit-usage.ts'
import type { Config } from '../configuration/config.ts'
import type { Setting } from '../configuration/settings/setting.ts'
import { settings } from '../configuration/settings.ts'
import { editDistance } from '../configuration/unknown-settings.ts'
import type { OrganizationRef } from '../directory/organizations.ts'
import { systemClock } from '../platform/clock.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import {
  type Commanded,
  type OperatorContext,
  onBehalfOfOperator,
  requireOrganization,
  withConfiguredDatabase,
} from './operator-commands.ts'

interface Change {
  name: LimitName
  /** Null: what the deployment gives. */
  value: number | null
}

const collect = (text: string, before: readonly string[]) => [...before, text]

/** Adds `atrium organization limits`. */
export function addLimitsCommand(organization: Command, context: OperatorContext): void {
  organization
    .command('limits <organizationId>')
    .description('show the limits of an organization and what is used of them, or set some')
    .option('--set <name=value>', 'a limit of its own; may be given several times; 0: no limit', collect, [])
    .option('--unset <name>', 'what the deployment gives again; may be given several times', collect, [])
    .action(async (organizationId: string, options: { set: string[]; unset: string[] }) => {
      const changes = requireChanges(options)
      const lines = await withConfiguredDatabase(context, async (db, config) => {
        const log = context.logOf(config)
        const found = await requireOrganization(db, organizationId)
        if (changes.length > 0)
          await onBehalfOfOperator({ db, log }, found, (tx) => change(tx, found, changes))
        return await describeLimits({ db, config, log }, found)
      })
      for (const line of lines) context.print(line)
      context.end()
    })
}

/** @throws Error that says what is wrong with one of them */
function requireChanges({ set, unset }: { set: string[]; unset: string[] }): Change[] {
  const changes = [
    ...set.map((text) => {
      const [name = '', value = ''] = text.split('=').map((part) => part.trim())
      return requireValue(requireName(name), value)
    }),
    ...unset.map((text) => ({ name: requireName(text), value: null })),
  ]
  const twice = changes.find(({ name }, index) => changes.findIndex((one) => one.name === name) < index)
  if (twice) throw new Error(`${twice.name} is given twice`)
  return changes
}

function requireName(name: string): LimitName {
  if (isLimit(name)) return name
  const [nearest] = limitNames.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))
  throw new Error(`There is no limit ${name || 'without a name'}. Is ${nearest} meant?`)
}

/** As the setting of the deployment would be taken. */
function requireValue(name: LimitName, text: string): Change {
  const { setting: of } = organizationLimits[name]
  const setting: Setting | undefined = settings.find((one) => one.name === of)
  const [smallest, largest] = setting?.range ?? [0, Number.MAX_SAFE_INTEGER]
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= smallest && value <= largest) return { name, value }
  throw new Error(`${name} must be a whole number from ${smallest} to ${largest}: --set ${name}=${largest}`)
}

async function change(
  tx: Tx,
  { id, identityId }: OrganizationRef,
  changes: readonly Change[],
): Promise<Commanded<void>> {
  const now = systemClock.now()
  const before = new Map((await listLimitsOf(tx, id)).map(({ name, value }) => [name, value]))
  const real = changes.filter(({ name, value }) => (before.get(name) ?? null) !== value)
  for (const { name, value } of real) {
    if (value === null) await unsetLimit(tx, id, name)
    else await setLimit(tx, id, { name, value }, now)
  }
  if (real.length === 0) return { result: undefined }
  const detail = Object.fromEntries(real.map(({ name, value }) => [name, value === null ? 'unset' : value]))
  const target = { kind: 'organization', id: identityId } as const
  return { result: undefined, entry: { action: 'organization.limit-changed', target, detail } }
}

/** A line for each limit: its name, how much, since whom, how much of it is used, and what of it each has. */
async function describeLimits(
  { db, config, log }: { db: Db; config: Config; log: Pick<Log, 'warn'> },
  { id }: OrganizationRef,
): Promise<string[]> {
  const limits = rememberLimits({ db, log }, deploymentLimits(config))
  await limits.refresh()
  const usage = limitUsage({ db, clock: systemClock, limits })
  const rows = [['limit', 'value', 'from', 'used', 'unit', 'of each']]
  for (const name of limitNames) {
    const { unit, scope } = organizationLimits[name]
    const [limit, used] = [limits.of(id, name), await usage(name, id)]
    const from = limits.own(id, name) === undefined ? 'deployment' : 'set'
    rows.push([name, limit === 0 ? 'none' : `${limit}`, from, used === null ? '-' : `${used}`, unit, scope])
  }
  const widths = rows.reduce(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [] as number[],
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
