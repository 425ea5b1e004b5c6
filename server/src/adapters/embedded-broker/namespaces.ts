import { type CommandError, errors } from './close-codes.ts'

/** What holds for the channels of one namespace. The same numbers as in deploy/centrifugo/config.json (tested). */
export interface Namespace {
  /** Clients may ask for its channels, and the subscribe rules decide. Else they are given by tokens only. */
  proxied: boolean
  presence: boolean
  /** Publications kept per channel, and for how long after the last one. */
  historySize: number
  historyTtlSeconds: number
  /** Of what follows the first colon. */
  form?: RegExp
}

export const namespaces: Readonly<Record<string, Namespace>> = {
  status: {
    proxied: true,
    presence: false,
    historySize: 20,
    historyTtlSeconds: 300,
    form: /^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/,
  },
  user: { proxied: false, presence: false, historySize: 100, historyTtlSeconds: 300 },
  org: { proxied: false, presence: true, historySize: 100, historyTtlSeconds: 300 },
}

/** Channels without a colon: nobody is given any, nothing is published on them. */
const UNNAMED: Namespace = { proxied: false, presence: false, historySize: 0, historyTtlSeconds: 0 }

export const CHANNEL_LENGTH_MAX = 255

/** The namespace of a channel name; undefined where there is none of that name. */
export function namespaceOf(channel: string): Namespace | undefined {
  const name = channel.startsWith('$') ? channel.slice(1) : channel
  const colon = name.indexOf(':')
  if (colon < 0) return UNNAMED
  const prefix = name.slice(0, colon)
  return Object.hasOwn(namespaces, prefix) ? namespaces[prefix] : undefined
}

/** What is wrong with a channel that a client asks for by name alone, before anybody is asked about it. */
export function faultOf(channel: string): CommandError | undefined {
  const namespace = namespaceOf(channel)
  if (!namespace) return errors.unknownChannel
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant
  if (!/^[\x00-\x7f]*$/.test(channel)) return errors.badRequest
  const rest = channel.slice(channel.indexOf(':') + 1)
  return namespace.form && !namespace.form.test(rest) ? errors.badRequest : undefined
}
