import { sql } from 'kysely'
import { type ArchiveChapter, ROWS_OF_ORGANIZATION } from '../../directory/archive-chapter.ts'

/** Deleted ones are among them: recordings and conversations are of them. */
export const roomsChapter: ArchiveChapter = {
  name: 'rooms',
  table: 'rooms',
  columns: [
    'id',
    'organization_id',
    'name',
    'metadata',
    'kind',
    'seats',
    'position',
    'created_by',
    'created_at',
    'deleted_at',
  ],
  withheld: { close_at: 'of an earlier release', locked_at: 'ends with who is inside' },
  order: ['id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['created_by'],
    imported: {},
  },
  person: {
    columns: ['id', 'organization_id', 'name', 'created_at', 'deleted_at'],
    where: ({ id, organizations }) =>
      sql`t.created_by = ${id} and t.organization_id = any(${organizations}::bigint[])`,
  },
}
