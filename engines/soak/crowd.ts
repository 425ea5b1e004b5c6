import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { statusChannel } from '@atrium/contract/events'
import type { CentrifugoNode } from '../centrifugo/node.ts'
import type { FromListeners, ToListeners, Wanted } from './listeners.ts'
import type { Person } from './stage.ts'

/** Fewer than one person may have (`client_user_connection_limit`). */
export const CONNECTIONS_OF_A_PERSON = 16

const LISTENERS = fileURLToPath(new URL('./listeners.ts', import.meta.url))

/** One event that one connection has received. `at`: milliseconds since 1970. */
export interface Heard {
  channel: string
  status: string
  at: number
}

export interface Crowd {
  listening: number
  failed: number
  /** Connections that were closed, and subscriptions that a broker ended, by reason. The client takes both up again. */
  closed: Map<string, number>
  resubscribed: Map<string, number>
  /** How many connections listen to a channel. */
  listenersOf(channel: string): number
  onHeard: (heard: Heard) => void
  close(): void
}

/**
 * So many connections at both brokers, each of which listens to the status of one colleague; those of each broker
 * are held by a process of their own, since a process may open only so many files.
 */
export async function gatherCrowd(
  people: readonly Person[],
  brokers: readonly [CentrifugoNode, CentrifugoNode],
  count: number,
): Promise<Crowd> {
  const listeners = new Map<string, number>()
  const programs: ChildProcess[] = []
  const crowd: Crowd = {
    listening: 0,
    failed: 0,
    closed: new Map(),
    resubscribed: new Map(),
    listenersOf: (channel) => listeners.get(channel) ?? 0,
    onHeard: () => {},
    close() {
      for (const program of programs) program.disconnect()
    },
  }
  const wanted = Array.from({ length: count }, (_, n) => wantedOf(people, n))
  const gathered = brokers.map(({ url }, broker) => {
    const own = wanted.filter((_, n) => n % 2 === broker)
    const program = fork(LISTENERS)
    programs.push(program)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let settled = 0
    program.on('exit', () => {
      crowd.closed.set('their program ended', own.length)
      reject(new Error('the program that makes connections ended'))
    })
    program.on('message', (message: FromListeners) => {
      if (message.kind === 'ask') return void answer(program, people, message)
      take(message, crowd, listeners)
      if ((message.kind === 'listening' || message.kind === 'failed') && ++settled === own.length) resolve()
    })
    tell(program, { kind: 'connect', url, connections: own })
    if (own.length === 0) resolve()
    return promise
  })
  await Promise.all(gathered)
  return crowd
}

function take(
  message: Exclude<FromListeners, { kind: 'ask' }>,
  crowd: Crowd,
  listeners: Map<string, number>,
) {
  const count = (counted: Map<string, number>, key: string) => counted.set(key, (counted.get(key) ?? 0) + 1)
  if (message.kind === 'heard') return crowd.onHeard(message)
  if (message.kind === 'closed' || message.kind === 'resubscribed')
    return count(crowd[message.kind], message.reason)
  crowd[message.kind] += 1
  if (message.kind === 'listening') count(listeners, message.channel)
}

async function answer(
  program: ChildProcess,
  people: readonly Person[],
  asked: { request: number; person: number },
) {
  const { client } = people[asked.person] as Person
  const ticket = await client.call('mintConnectionToken').catch(() => undefined)
  if (program.connected)
    tell(program, { kind: 'token', request: asked.request, ...(ticket && { token: ticket.token }) })
}

function tell(program: ChildProcess, message: ToListeners) {
  program.send(message)
}

/** To a colleague in the same company, and to another one for each round of connections. */
function wantedOf(people: readonly Person[], n: number): Wanted {
  const person = n % people.length
  const { organization } = people[person] as Person
  const colleagues = people.filter((one) => one.organization === organization)
  const own = colleagues.indexOf(people[person] as Person)
  const heard = colleagues[(own + 1 + Math.floor(n / people.length)) % colleagues.length] as Person
  return { person, channel: statusChannel(organization, heard.id) }
}
