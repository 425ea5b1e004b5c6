import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'

/** A host outside that this process could not connect to when it last tried. */
export interface Unreached {
  /** Name and port. */
  host: string
  /** The system's word for it, such as `ENOTFOUND`; never a vendor's text. */
  code: string
  times: number
}

/** With more, those that failed first are forgotten. */
const HOSTS_MAX = 50

/**
 * Takes note of connections that fail, by `fetch` and by Node's own client, until one to the same host succeeds.
 * Statuses and answers are not looked at.
 */
export function watchUnreached(): { list(): readonly Unreached[]; close(): void } {
  const known = new Map<string, Unreached>()
  const fail = (host: string, error: unknown) => {
    const { times = 0 } = known.get(host) ?? {}
    known.delete(host)
    if (known.size >= HOSTS_MAX) known.delete(known.keys().next().value as string)
    known.set(host, { host, code: codeOf(error), times: times + 1 })
  }
  const heard: Readonly<Record<string, (message: unknown) => void>> = {
    'undici:client:connectError': (message) => {
      const { connectParams, error } = message as { connectParams: ConnectParams; error: unknown }
      fail(connectParams.host, error)
    },
    'undici:client:connected': (message) =>
      known.delete((message as { connectParams: ConnectParams }).connectParams.host),
    'http.client.request.error': (message) => {
      const { request, error } = message as { request: ClientRequest; error: unknown }
      // one that had a connection was reached
      if (request.socket?.remoteAddress === undefined) fail(hostOf(request), error)
    },
    'http.client.response.finish': (message) =>
      known.delete(hostOf((message as { request: ClientRequest }).request)),
  }
  for (const [channel, hear] of Object.entries(heard)) subscribe(channel, hear)
  return {
    list: () => [...known.values()],
    close() {
      for (const [channel, hear] of Object.entries(heard)) unsubscribe(channel, hear)
    },
  }
}

interface ConnectParams {
  host: string
}

function hostOf(request: ClientRequest): string {
  return String(request.getHeader('host') ?? request.host)
}

function codeOf(error: unknown): string {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  return errors?.[0] ? codeOf(errors[0]) : 'no-connection'
}
