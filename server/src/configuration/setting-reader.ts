import { deriveKey, Secret } from '../platform/secrets/secret.ts'
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
  return {
    text,
    known,
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

function derived(root: Secret, purpose: string): Secret {
  return new Secret(Buffer.from(deriveKey(root, purpose)).toString('base64url'))
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
