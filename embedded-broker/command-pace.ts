import { setTimeout as pause } from 'node:timers/promises'
import type { Codec } from './codec.ts'
import type { Connection } from './connection.ts'

export interface CommandPace {
  /** What one user may send on all connections together. */
  perMinute: number
  /** How much of it may come at once: a client that comes back subscribes to all that it had, up to 512 channels. */
  atOnce: number
}

/** A page of a large organization that is loaded eight times in a row waits for nothing. */
export const COMMAND_PACE: CommandPace = { perMinute: 6_000, atOnce: 4_000 }

export interface CommandTurns {
  /** Resolves when it is the turn of a frame of this weight, or when its connection is gone. */
  await(connection: Pick<Connection, 'user' | 'client'>, weight: number, gone: AbortSignal): Promise<void>
  /** Forgets users who have all their commands again. */
  sweep(): void
}

const MINUTE_MS = 60_000
/** A longer command counts as several: it has to be read. */
const BYTES_OF_A_COMMAND = 2 * 1024

/**
 * Commands are worked through by the process that serves everybody else, too. Of one user it takes so many in a time,
 * on however many connections. No command is refused: what comes beyond waits in its socket, where it is not read on.
 */
export function paceCommands({ perMinute, atOnce }: CommandPace): CommandTurns {
  /** When a user has all commands again (the generic cell rate algorithm: one moment for each). */
  const fullAt = new Map<string, number>()
  const interval = MINUTE_MS / perMinute
  return {
    async await({ user, client }, weight, gone) {
      // a connection that is gone takes nothing: it would be missing where the same user comes back
      if (gone.aborted) return
      const key = user || client
      const now = performance.now()
      const full = Math.max(fullAt.get(key) ?? 0, now) + interval
      const afterMs = full - now - interval * atOnce
      // a long frame costs no wait beyond the commands of a whole minute
      fullAt.set(key, Math.min(full + interval * (weight - 1), now + interval * atOnce + MINUTE_MS))
      if (afterMs > 0) await pause(afterMs, undefined, { signal: gone }).catch(() => undefined)
    },
    sweep() {
      const now = performance.now()
      for (const [key, moment] of fullAt) if (moment <= now) fullAt.delete(key)
    },
  }
}

/** How many commands a frame is worth. */
export function weightOf(frame: Buffer, codec: Codec): number {
  return Math.max(codec.count(frame), Math.ceil(frame.length / BYTES_OF_A_COMMAND))
}
