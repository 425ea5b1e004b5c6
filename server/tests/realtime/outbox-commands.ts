import { partitionOf } from '../../src/platform/background/outbox.ts'
import type { Db } from '../../src/platform/database/database.ts'

/** What the broker can be told beside events, in the shapes of its own commands. */
export interface OutboxCommands {
  /** Puts a user's connections out, or one of them. Clients come back or not by the code. */
  disconnect: { user: string; client?: string; disconnect: { code: number; reason: string } }
  /** Ends a user's subscription of a channel. */
  unsubscribe: { user: string; channel: string; client?: string }
}

/**
 * Appends a command to the outbox, in line with the events of the same key. The office itself tells its broker directly;
 * a broker that reads the table takes commands too.
 */
export async function appendCommand<Method extends keyof OutboxCommands>(
  db: Db,
  method: Method,
  payload: OutboxCommands[Method],
  orderingKey: string,
): Promise<void> {
  await db
    .insertInto('centrifugo_outbox')
    .values({ method, payload: JSON.stringify(payload), partition: partitionOf(orderingKey) })
    .execute()
}
