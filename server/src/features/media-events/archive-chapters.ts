import { sql } from 'kysely'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'

const OF_METRICS = 'how it was counted'

/** When a person was in which room, as far as it is remembered: their own only. */
export const visitsChapter: ArchiveChapter = {
  name: 'room-visits',
  table: 'media_participants',
  columns: ['organization_id', 'room_id', 'joined_at', 'ended_at', 'seconds'],
  withheld: {
    sid: 'the id of a connection at the media server',
    room_sid: 'the id of a session at the media server',
    identity: 'the name of a connection at the media server',
    user_id: 'is the person',
    bot_id: 'of a bot, which is no person',
    listens: 'of a bot, which is no person',
    speaks: 'of a bot, which is no person',
    counts: OF_METRICS,
    apart: 'follows from the room',
    waits: OF_METRICS,
    counted: OF_METRICS,
    ended_by: OF_METRICS,
  },
  order: ['joined_at', 'sid'],
  person: {
    where: ({ id, organizations }) =>
      sql`t.user_id = ${id} and t.organization_id = any(${organizations}::bigint[])`,
  },
}
