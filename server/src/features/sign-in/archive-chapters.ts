import { sql } from 'kysely'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'

export const identitiesChapter: ArchiveChapter = {
  name: 'linked-identities',
  table: 'linked_identities',
  columns: ['issuer', 'subject', 'created_at'],
  withheld: { user_id: 'is the person' },
  order: ['issuer', 'subject'],
  person: { where: ({ id }) => sql`t.user_id = ${id}` },
}
