import { sql } from 'kysely'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'

/** What the directory of an organization says of a person: theirs to know. To an office it is said again. */
export const directoryViewsChapter: ArchiveChapter = {
  name: 'directory-views',
  table: 'scim_users',
  columns: [
    ...['organization_id', 'user_id', 'user_name', 'given_name', 'family_name', 'display_name', 'email_type'],
    ...['email_primary', 'email', 'deleted_at', 'created_at', 'updated_at'],
  ],
  withheld: {
    external_id: 'a name of the directory’s own',
    had_external_id: 'of such a name',
    role_by_hand: 'of an organization: what the role is without groups',
  },
  order: ['organization_id', 'user_id'],
  person: {
    where: ({ id, organizations }) =>
      sql`t.user_id = ${id} and t.organization_id = any(${organizations}::bigint[])`,
  },
}
