import { sql } from 'kysely'
import { type ArchiveChapter, ROWS_OF_ORGANIZATION } from '../../directory/archive-chapter.ts'

export const calendarSwitchChapter: ArchiveChapter = {
  name: 'calendar-switch',
  table: 'calendar_switches',
  columns: ['organization_id', 'switched_off_at'],
  withheld: {},
  order: ['organization_id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    imported: {},
  },
}

export const calendarConnectionsChapter: ArchiveChapter = {
  name: 'calendar-connections',
  table: 'calendar_connections',
  columns: ['provider', 'reauth_required_at', 'connected_at', 'updated_at'],
  withheld: {
    user_id: 'is the person',
    sealed_tokens: 'secret',
    access_expires_at: 'of a secret',
    refreshing_until: 'of a secret',
  },
  order: ['provider'],
  person: { where: ({ id }) => sql`t.user_id = ${id}` },
}
