import { sql } from 'kysely'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'

export const deviceKeysChapter: ArchiveChapter = {
  name: 'device-keys',
  table: 'device_keys',
  columns: ['device_id', 'public_key', 'name', 'created_at', 'published_at'],
  withheld: { user_id: 'is the person' },
  order: ['device_id'],
  person: { where: ({ id }) => sql`t.user_id = ${id}` },
}
