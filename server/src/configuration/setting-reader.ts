import { deriveKey, type RotatingSecret, Secret } from '../platform/secrets/secret.ts'
import { partsOf } from './config-problems.ts'
import { type Setting, type SettingName, settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings of an environment, each in the form that it is wanted in. Right ones: see `problemsOf`. */
export interface SettingReader {
  /** As it was given, else its default. */
  text(name: SettingName): string | undefined
  /** The text of a setting that has a default, or is known to be there. */
  known(name: SettingName): string
  number(name: SettingName): number
  isOn(name: SettingName): boolean
  /** Of a list, without its empty parts. */
  list(name: SettingName): string[]
  /** An address without a slash at the end. */
  address(name: SettingName): string | undefined
  secret(name: SettingName): Secret | undefined
  /** The secret that is given, else one that follows from SECRET_KEY. */
  secretOrDerived(name: SettingName, purpose: string): Secret
  /** SECRET_KEY, with those before and after it. */
  rootSecrets(): RotatingSecret
  /** A secret with those before and after it. Where it is not given, all those that follow from SECRET_KEY and its own. */
  rotating(names: RotatingNames, purpose: string): RotatingSecret
}

export interface RotatingNames {
  current: SettingName
  previous: SettingName
  next?: SettingName
}

export function settingReader(environment: Environment): SettingReader {
  const text = (name: SettingName): string | undefined => {
    const setting = settings.find((candidate) => candidate.name === name) as Setting
    return environment[name]?.trim() || setting.default || undefined
  }
  const known = (name: SettingName) => text(name) as string
  const secret = (name: SettingName) => {
    const value = text(name)
    return value === undefined ? undefined : new Secret(value)
  }
  const secrets = (name: SettingName | undefined) =>
    name ? partsOf(text(name) ?? '').map((part) => new Secret(part)) : []
  const rootSecrets = () =>
    rotation(new Secret(known('SECRET_KEY')), secrets('SECRET_KEY_PREVIOUS'), secrets('SECRET_KEY_NEXT'))
  return {
    text,
    known,
    rootSecrets,
    rotating(names, purpose) {
      const own = secret(names.current)
      const [previous, next] = [secrets(names.previous), secrets(names.next)]
      if (own) return rotation(own, previous, next)
      const root = rootSecrets()
      const follows = (one: Secret) => derived(one, purpose)
      return rotation(
        follows(root.current),
        [...previous, ...root.previous.map(follows)],
        [...next, ...root.next.map(follows)],
      )
    },
    number: (name) => Number(text(name)),
    isOn: (name) => text(name) === 'true',
    list: (name) => partsOf(text(name) ?? ''),
    address(name) {
      const value = text(name)
      return value === undefined ? undefined : withoutSlash(value)
    },
    secret,
    secretOrDerived: (name, purpose) => secret(name) ?? derived(new Secret(known('SECRET_KEY')), purpose),
  }
}

/** Each secret once: one that is in use is neither over nor to come, and one to come is not over. */
function rotation(current: Secret, previous: readonly Secret[], next: readonly Secret[]): RotatingSecret {
  const without = (some: readonly Secret[], taken: readonly Secret[]) =>
    some.filter((one) => taken.every((other) => other.reveal() !== one.reveal()))
  const coming = without(next, [current])
  return Object.freeze({
    current,
    previous: Object.freeze(without(previous, [current, ...coming])),
    next: Object.freeze(coming),
  })
}

function derived(root: Secret, purpose: string): Secret {
  return new Secret(Buffer.from(deriveKey(root, purpose)).toString('base64url'))
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
