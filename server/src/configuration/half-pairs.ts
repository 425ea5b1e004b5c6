import { type Setting, type SettingName, settings } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Of no use without each other, and passed over in silence where one is missing. */
const PAIRS: readonly (readonly [SettingName, SettingName])[] = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
]
/** They mean something without it too. */
const OF_USE_ALONE = /^BROKER_/

/** Settings that are given and have no effect, because what they belong to is not: in words. */
export function halfPairs(environment: Environment): string[] {
  const settingOf = (name: string) => environment[name]?.trim() || undefined
  const halves = PAIRS.flatMap(([one, other]) => {
    if ((settingOf(one) === undefined) === (settingOf(other) === undefined)) return []
    const [there, missing] = settingOf(one) === undefined ? [other, one] : [one, other]
    return [
      `${there} is set and ${missing} is not: this way of signing in does not exist. Set both, or neither.`,
    ]
  })
  const replica =
    settingOf('DATABASE_REPLICA_URL') && !settingOf('DATABASE_URL')
      ? ['DATABASE_REPLICA_URL is set and has no effect: DATABASE_URL is not.']
      : []
  const idle = (settings as readonly Setting[]).flatMap(({ name, neededWhere }) => {
    if (!neededWhere || OF_USE_ALONE.test(name) || settingOf(name) === undefined) return []
    const { setting: other, is } = neededWhere
    const value = settingOf(other)
    if (is === undefined ? value !== undefined : value === is) return []
    return [
      `${name} is set and has no effect: ${is === undefined ? `${other} is not` : `${other} is not ${is}`}.`,
    ]
  })
  return [...halves, ...replica, ...idle]
}
