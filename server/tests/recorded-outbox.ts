import type { FreshDatabase } from './fresh-database.ts'
import { requireDeclared } from './run/declared-events.ts'

/** One publication as it was appended, whether or not it has left since. */
export interface RecordedEvent {
  channel: string
  id: string
  type: string
  data: unknown
  version: number | undefined
  partition: number
}

export interface RecordedOutbox {
  /** Everything published so far, on all channels or on those that begin so, in the order of appending. */
  events(channelPrefix?: string): Promise<RecordedEvent[]>
}

/** Keeps a copy of each row that is appended to the outbox of a database: relays take the rows away. */
export async function recordOutbox({ pool }: FreshDatabase): Promise<RecordedOutbox> {
  await pool.query(`
    create table recorded_outbox (like centrifugo_outbox);
    create function record_outbox() returns trigger language plpgsql as $$
    begin
      insert into recorded_outbox select new.*;
      return null;
    end $$;
    create trigger outbox_recorded after insert on centrifugo_outbox
      for each row execute function record_outbox();`)
  return {
    async events(channelPrefix = '') {
      const { rows } = await pool.query<{ payload: Payload; partition: number }>(
        `select payload, partition from recorded_outbox where method in ('publish', 'broadcast') order by id`,
      )
      // those of triggers pass by appendEvent
      for (const { payload } of rows)
        requireDeclared({ channels: payload.channels ?? [payload.channel], ...payload.data })
      return rows
        .flatMap(({ payload, partition }) =>
          (payload.channels ?? [payload.channel]).map((channel) => ({ channel, payload, partition })),
        )
        .filter(({ channel }) => channel.startsWith(channelPrefix))
        .map(({ channel, payload: { data, version }, partition }) => ({
          channel,
          id: data.id,
          type: data.type,
          data: data.data,
          version,
          partition,
        }))
    },
  }
}

interface Payload {
  channel: string
  /** In place of `channel`, where there are several. */
  channels?: string[]
  data: { id: string; type: string; data: unknown }
  version?: number
}
