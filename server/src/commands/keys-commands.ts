import type { Command } from 'commander'
import { CUTS_NAME, countCutsByKey, signCutsAnew } from '../access/audit/audit-cut-keys.ts'
import { cutSignersOf } from '../compose/keys/cut-signers.ts'
import { sealedPlacesOf } from '../compose/keys/sealed-places.ts'
import type { Config } from '../configuration/config.ts'
import type { Db } from '../platform/database/database.ts'
import { countSealed, type KeySetting, resealPlace, type SealedCount } from '../platform/secrets/resealing.ts'
import { logCommand, type OperatorContext, withConfiguredDatabase } from './operator-commands.ts'

/** What there is of one kind of sealed value. */
export interface SealedTally {
  name: string
  counts: readonly SealedCount[]
}

/** Adds `atrium keys …`. */
export function addKeysCommands(program: Command, context: OperatorContext): void {
  const keys = program.command('keys').description('what SECRET_KEY has sealed (docs/operations/rotation.md)')
  keys
    .command('status')
    .description('count what each key has sealed; fails if no configured key opens something')
    .action(async () => {
      await withConfiguredDatabase(context, async (db, config) => {
        const tallies = await tallySealed(db, config)
        for (const line of linesOf(tallies)) context.print(line)
        for (const line of advice(config, tallies)) context.print(line)
        const lost = tallies.flatMap(lostOf)
        if (lost.length > 0) throw new Error(sentenceOfLost(lost))
      })
      context.end()
    })
  keys
    .command('reseal')
    .description(
      'seal again with SECRET_KEY what former keys have sealed; running nodes do this by themselves',
    )
    .action(async () => {
      await withConfiguredDatabase(context, async (db, config) => {
        logCommand(context.logOf(config), { command: 'keys.reseal' })
        for (const place of sealedPlacesOf(config)) {
          const { done, unopenable } = await resealPlace(db, place, new AbortController().signal)
          if (done > 0) context.print(`Sealed anew: ${done} ${place.name}`)
          if (unopenable > 0) context.print(`Cannot be opened: ${unopenable} ${place.name}`)
        }
        const { done, changed } = await signCutsAnew(db, cutSignersOf(config), new AbortController().signal)
        if (done > 0) context.print(`Signed anew: ${done} ${CUTS_NAME}`)
        if (changed > 0) context.print(`Not signed by us as they are: ${changed} ${CUTS_NAME}`)
        for (const line of advice(config, await tallySealed(db, config))) context.print(line)
      })
      context.end()
    })
}

/** Which keys have sealed what, wherever something is. */
export async function tallySealed(db: Db, config: Pick<Config, 'secretKeys'>): Promise<SealedTally[]> {
  const tallies: SealedTally[] = []
  for (const place of sealedPlacesOf(config))
    tallies.push({ name: place.name, counts: await countSealed(db, place) })
  tallies.push({ name: CUTS_NAME, counts: await countCuts(db, config) })
  return tallies.filter(({ counts }) => counts.length > 0)
}

/** What a key has signed, and not sealed, needs it as well. */
async function countCuts(db: Db, config: Pick<Config, 'secretKeys'>): Promise<SealedCount[]> {
  const { current, former, next } = cutSignersOf(config)
  const settingOf = new Map<string, KeySetting>()
  for (const signer of next) settingOf.set(await signer.keyId(), 'next')
  for (const [at, signer] of former.entries()) settingOf.set(await signer.keyId(), `previous ${at + 1}`)
  settingOf.set(await current.keyId(), 'current')
  const counts = await countCutsByKey(db)
  return counts.map(({ keyId, count }) => ({ keyId, count, setting: settingOf.get(keyId), until: null }))
}

/** What opens with no key that is set. */
export function lostOf({ name, counts }: SealedTally): { name: string; count: number; keyId: string }[] {
  return counts
    .filter(({ setting }) => setting === undefined)
    .map(({ count, keyId }) => ({ name, count, keyId }))
}

export function sentenceOfLost(lost: readonly ReturnType<typeof lostOf>[number][]): string {
  const what = lost.map(({ name, count, keyId }) => `${count} ${name} (key id ${keyId || 'unreadable'})`)
  return `No key that is set opens: ${what.join(', ')}. Add the SECRET_KEY of that time to SECRET_KEY_PREVIOUS; where it is gone, docs/operations/rotation.md says what to make anew`
}

function linesOf(tallies: readonly SealedTally[]): string[] {
  return tallies.flatMap(({ name, counts }) =>
    counts.map(({ setting, count, until }) => {
      const ends = until ? `, the last of them until ${until.toISOString()}` : ''
      return `${count} ${name}: ${setting ? nameOf(setting) : 'no key that is set'}${ends}`
    }),
  )
}

/** Of each former key, whether anything that is stored needs it. */
function advice({ secretKeys }: Pick<Config, 'secretKeys'>, tallies: readonly SealedTally[]): string[] {
  return secretKeys.previous.map((_, at) => {
    const setting: KeySetting = `previous ${at + 1}`
    const counts = tallies.flatMap((tally) => tally.counts).filter((count) => count.setting === setting)
    if (counts.length === 0) return `${nameOf(setting)} can be taken away: nothing that is stored needs it`
    const ends = counts.map(({ until }) => until?.getTime() ?? Number.POSITIVE_INFINITY)
    const last = Math.max(...ends)
    return Number.isFinite(last)
      ? `${nameOf(setting)} is needed until ${new Date(last).toISOString()}`
      : `${nameOf(setting)} is still needed: running nodes seal anew what it has sealed, or: npx atrium keys reseal`
  })
}

function nameOf(setting: KeySetting): string {
  if (setting === 'current') return 'SECRET_KEY'
  if (setting === 'next') return 'SECRET_KEY_NEXT'
  return `SECRET_KEY_PREVIOUS (${setting.replace('previous ', 'number ')})`
}
