import type { Environment } from './setting-reader.ts'
import { settings } from './settings.ts'

/** A variable of the environment that is not a setting, but looks like one. */
export interface UnknownSetting {
  name: string
  /** The setting that is meant, as far as one can tell. */
  nearest: string
}

/** Beginnings of names that only our variables have. */
const OUR_PREFIXES = ['ATRIUM_', 'RATE_LIMIT_']
/** Not settings, and ours: how the launcher and the tests talk to processes. */
const NO_SETTINGS = /^ATRIUM_(RELAUNCHED$|TEST_)/
/** Shorter names are near to too many others. */
const LENGTH_MIN = 6
const LETTERS_PER_MISTAKE = 6
const MISTAKES_MAX = 3

/** Variables that were meant to be settings, and are passed over: one letter makes an office open without its database. */
export function unknownSettings(environment: Environment): UnknownSetting[] {
  const names = settings.map(({ name }) => name as string)
  const known = new Set(names)
  return Object.keys(environment)
    .filter((name) => environment[name]?.trim() && !known.has(name) && !NO_SETTINGS.test(name))
    .flatMap((name) => {
      const [nearest] = names
        .filter((setting) => isOurs(name) || Math.abs(setting.length - name.length) <= MISTAKES_MAX)
        .map((setting) => ({ setting, mistakes: editDistance(name, setting) }))
        .sort((a, b) => a.mistakes - b.mistakes)
      if (!nearest || !(isOurs(name) || isNear(name, nearest.mistakes))) return []
      return [{ name, nearest: nearest.setting }]
    })
}

export function sentenceOfUnknown({ name, nearest }: UnknownSetting): string {
  return `${name} is no setting and is passed over. Is ${nearest} meant?`
}

function isOurs(name: string): boolean {
  return OUR_PREFIXES.some((prefix) => name.startsWith(prefix))
}

function isNear(name: string, mistakes: number): boolean {
  if (name.length < LENGTH_MIN) return false
  return mistakes <= Math.min(MISTAKES_MAX, Math.floor(name.length / LETTERS_PER_MISTAKE))
}

/** Letters to put in, take out, replace or swap with their neighbour until one text is the other. */
export function editDistance(one: string, other: string): number {
  const [far] = [one.length + other.length]
  const rows: number[][] = []
  const at = (i: number, j: number) => rows[i]?.[j] ?? far
  for (let i = 0; i <= one.length; i++) {
    const row: number[] = []
    rows.push(row)
    for (let j = 0; j <= other.length; j++) {
      if (i === 0 || j === 0) {
        row.push(i + j)
        continue
      }
      const cost = one[i - 1] === other[j - 1] ? 0 : 1
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + cost,
          swapped ? at(i - 2, j - 2) + 1 : far,
        ),
      )
    }
  }
  return at(one.length, other.length)
}
