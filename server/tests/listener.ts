import { connectRealtime } from '@atrium/client/realtime'
import { WebSocket } from 'ws'
import type { Person } from './people.ts'
import { until } from './until.ts'

/** A connected person, and what they have heard since. */
export interface Listener {
  /** The data of events of one type, in the order of their coming. */
  heard(type: string): unknown[]
  /** Whether the office has ended the connection for good. */
  isClosed(): boolean
  close(): void
}

/**
 * Connects as a person, and resolves when events reach them.
 * @param look what tells the office of the connection: bots do not say it themselves, and are found by the presence poll
 */
export async function listenAs(
  { browser }: Pick<Person, 'browser'>,
  look = async () => {},
): Promise<Listener> {
  const events: { type: string; data: unknown }[] = []
  const line = await connectRealtime(browser, { websocket: WebSocket })
  let isClosed = false
  line.on('state', ({ state }) => {
    isClosed = state === 'closed'
  })
  line.on('event', (event) => void events.push(event))
  await until(async () => {
    await look()
    return line.statusOf(line.userId) === 'online'
  })
  return {
    heard: (type) => events.filter((event) => event.type === type).map(({ data }) => data),
    isClosed: () => isClosed,
    close: () => line.close(),
  }
}
