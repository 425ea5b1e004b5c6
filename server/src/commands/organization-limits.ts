import { type LimitName, limitNames, organizationLimits, personLimitNames } from '@atrium/contract'
import type { Command } from 'commander'
import {
  type LimitOwner,
  listLimitsOf,
  setLimit,
  unsetLimit,
} from '../access/budgets/organization-limit-store.ts'
import { isLimit, type OrganizationLimits, rememberLimits } from '../access/budgets/organization-limits.ts'
import { deploymentLimits } from '../compose/from-configuration/deployment-limits.ts'
import { limitUsage, limitUsageOfPerson } from '../compose/from-features/limit-usage.ts'
import type { Config } from '../configuration/config.ts'
import { fits, fittingNumbers } from '../configuration/settings/number-range.ts'
import type { Setting } from '../configuration/settings/setting.ts'
import { settings } from '../configuration/settings.ts'
import { editDistance } from '../configuration/unknown-settings.ts'
import { normalizeEmail } from '../directory/email-address.ts'
import { findMember } from '../directory/members/members.ts'
import type { OrganizationRef } from '../directory/organizations.ts'
import { findUserByEmail, findUserById, type UserRecord } from '../directory/users.ts'
import { systemClock } from '../platform/clock.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { parseUserId } from '../platform/ids.ts'
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
  /** Null: what the organization, or the deployment, gives. */
  value: number | null
}

/** Of whom the limits are: of an organization, or of one person of it. */
interface Whose {
  organization: OrganizationRef
  person: UserRecord | undefined
}

interface Options {
  set: string[]
  unset: string[]
  person?: string
}

const collect = (text: string, before: readonly string[]) => [...before, text]

/** Adds `atrium organization limits`. */
export function addLimitsCommand(organization: Command, context: OperatorContext): void {
  organization
    .command('limits <organizationId>')
    .description('show the limits of an organization and what is used of them, or set some')
    .option('--person <email or id>', 'the limits that each person has, for one person of the organization')
    .option('--set <name=value>', 'a limit of its own; may be given several times; 0: no limit', collect, [])
    .option('--unset <name>', 'back to the default; may be given several times', collect, [])
    .action(async (organizationId: string, options: Options) => {
      const changes = requireChanges(options)
      const lines = await withConfiguredDatabase(context, async (db, config) => {
        const log = context.logOf(config)
        const found = await requireOrganization(db, organizationId)
        const person =
          options.person === undefined ? undefined : await requirePerson(db, found, options.person)
        const subject = { organization: found, person }
        if (changes.length > 0)
          await onBehalfOfOperator({ db, log }, found, (tx) => change(tx, subject, changes))
        return await describeLimits({ db, config, log }, subject)
      })
      for (const line of lines) context.print(line)
      context.end()
    })
}

/** @throws Error with a message for a person where they are no active member of it */
async function requirePerson(db: Db, organization: OrganizationRef, text: string): Promise<UserRecord> {
  const email = normalizeEmail(text)
  const id = email ? undefined : parseUserId(text)
  const user = email ? await findUserByEmail(db, email) : id && (await findUserById(db, id))
  if (user && (await findMember(db, organization.id, user.id))) return user
  throw new Error(
    `${text} is no member of ${organization.identityId}: an e-mail address or a User.id is asked for`,
  )
}

/** @throws Error that says what is wrong with one of them */
function requireChanges({ set, unset, person }: Options): Change[] {
  const changes = [
    ...set.map((text) => {
      const [name = '', value = ''] = text.split('=').map((part) => part.trim())
      return requireValue(requireName(name), value)
    }),
    ...unset.map((text) => ({ name: requireName(text), value: null })),
  ]
  const twice = changes.find(({ name }, index) => changes.findIndex((one) => one.name === name) < index)
  if (twice) throw new Error(`${twice.name} is given twice`)
  const shared = person === undefined ? undefined : changes.find(({ name }) => !isOfEachPerson(name))
  if (shared)
    throw new Error(`${shared.name} is not a limit of each person. Those are: ${personLimitNames.join(', ')}`)
  return changes
}

function isOfEachPerson(name: LimitName): boolean {
  return organizationLimits[name].scope === 'person'
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
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (fits(setting ?? {}, value)) return { name, value }
  const example = setting?.range?.[1] ?? 0
  throw new Error(`${name} must be ${fittingNumbers(setting ?? {})}: --set ${name}=${example}`)
}

async function change(
  tx: Tx,
  { organization: { id, identityId }, person }: Whose,
  changes: readonly Change[],
): Promise<Commanded<void>> {
  const now = systemClock.now()
  const own = (await listLimitsOf(tx, id)).filter(({ user }) => user === (person?.id ?? null))
  const before = new Map(own.map(({ name, value }) => [name, value]))
  const real = changes.filter(({ name, value }) => (before.get(name) ?? null) !== value)
  const owner = { organization: id, user: person?.id }
  for (const { name, value } of real) {
    if (value === null) await unsetLimit(tx, owner, name)
    else await setLimit(tx, owner, { name, value }, now)
  }
  if (real.length === 0) return { result: undefined }
  const detail = Object.fromEntries(real.map(({ name, value }) => [name, value === null ? 'unset' : value]))
  const target = person
    ? ({ kind: 'user', id: person.id } as const)
    : ({ kind: 'organization', id: identityId } as const)
  return { result: undefined, entry: { action: 'organization.limit-changed', target, detail } }
}

/** A line for each limit: its name, how much, since whom, how much of it is used, and what of it each has. */
async function describeLimits(
  { db, config, log }: { db: Db; config: Config; log: Pick<Log, 'warn'> },
  { organization: { id }, person }: Whose,
): Promise<string[]> {
  const limits = rememberLimits({ db, log }, deploymentLimits(config))
  await limits.refresh()
  const usage = limitUsage({ db, clock: systemClock, limits })
  const rows = [['limit', 'value', 'from', 'used', 'unit', 'of each']]
  for (const name of person ? personLimitNames : limitNames) {
    const { unit, scope } = organizationLimits[name]
    const limit = limits.of(id, name, person?.id)
    const used = await (person ? limitUsageOfPerson({ db, limits }, name, id, person.id) : usage(name, id))
    const from = originOf(limits, name, { organization: id, user: person?.id })
    rows.push([name, limit === 0 ? 'none' : `${limit}`, from, used === null ? '-' : `${used}`, unit, scope])
  }
  return inColumns(rows)
}

/** Who has set it. */
function originOf(
  limits: Pick<OrganizationLimits, 'own' | 'personal'>,
  name: LimitName,
  { organization, user }: LimitOwner,
): string {
  if (user !== undefined && limits.personal(organization, name, user) !== undefined) return 'set'
  if (limits.own(organization, name) === undefined) return 'deployment'
  return user === undefined ? 'set' : 'organization'
}

function inColumns(rows: readonly string[][]): string[] {
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
