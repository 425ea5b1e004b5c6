import { sql } from 'kysely'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'

export const notificationSettingsChapter: ArchiveChapter = {
  name: 'notification-settings',
  table: 'notification_settings',
  columns: ['quiet_from', 'quiet_to', 'quiet_zone', 'sounds', 'updated_at'],
  withheld: { user_id: 'is the person' },
  order: ['updated_at'],
  person: { where: ({ id }) => sql`t.user_id = ${id}` },
}
