import { type CommandError, errors } from './close-codes.ts'

/** What holds for the channels of one namespace: the part of a name before its first colon. */
export interface Namespace {
  /** Clients may ask for its channels, and `judge` decides. Else they are given by tokens only. */
  proxied: boolean
  presence: boolean
  /** Publications kept per channel, and for how long after the last one. */
  historySize: number
  historyTtlSeconds: number
  /** Of what follows the first colon. */
  form?: RegExp
}

export interface Namespaces {
  /** The namespace of a channel name; undefined where there is none of that name. */
  of(channel: string): Namespace | undefined
  /** What is wrong with a channel that a client asks for by name alone, before `judge` is asked. */
  faultOf(channel: string): CommandError | undefined
}

/** Channels without a colon: no token gives any, nothing is published on them. */
const UNNAMED: Namespace = { proxied: false, presence: false, historySize: 0, historyTtlSeconds: 0 }

export const CHANNEL_LENGTH_MAX = 255

export function makeNamespaces(table: Readonly<Record<string, Namespace>>): Namespaces {
  const of = (channel: string) => {
    const name = channel.startsWith('$') ? channel.slice(1) : channel
    const colon = name.indexOf(':')
    if (colon < 0) return UNNAMED
    const prefix = name.slice(0, colon)
    return Object.hasOwn(table, prefix) ? table[prefix] : undefined
  }
  return {
    of,
    faultOf(channel) {
      const namespace = of(channel)
      if (!namespace) return errors.unknownChannel
      // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant
      if (!/^[\x00-\x7f]*$/.test(channel)) return errors.badRequest
      const rest = channel.slice(channel.indexOf(':') + 1)
      return namespace.form && !namespace.form.test(rest) ? errors.badRequest : undefined
    },
  }
}
