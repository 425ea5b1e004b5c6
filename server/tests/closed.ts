import type { EventEmitter } from 'node:events'

/**
 * Until a connection is closed, with what its `close` says. Unlike `once` of Node it takes an error for no failure:
 * what is written to a connection that the other side has closed may reset it.
 */
export function closed(connection: EventEmitter): Promise<unknown[]> {
  connection.on('error', () => {})
  return new Promise((resolve) => connection.once('close', (...said) => resolve(said)))
}
