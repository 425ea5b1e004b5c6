import { sql } from 'kysely'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'

/** A person's own only: no other ever learns of a choice to be invisible. */
export const presenceChapter: ArchiveChapter = {
  name: 'status',
  table: 'presence',
  columns: [
    ...['organization_id', 'user_id', 'status', 'manual_status', 'note', 'choice_ends_at', 'in_meeting'],
    'confirmed_at',
  ],
  withheld: { revision: 'of the copies of nodes' },
  order: ['organization_id'],
  person: {
    where: ({ id, organizations }) =>
      sql`t.user_id = ${id} and t.organization_id = any(${organizations}::bigint[])`,
  },
}

export const meetingsChapter: ArchiveChapter = {
  name: 'meetings',
  table: 'presence_meetings',
  columns: ['user_id', 'times'],
  withheld: { read_next_at: 'when calendars are read next', change_at: 'when somebody looks next' },
  order: ['user_id'],
  person: { where: ({ id }) => sql`t.user_id = ${id}` },
}
