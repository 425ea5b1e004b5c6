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
    'sealed',
    'agent_dispatch',
    'owner_id',
    'created_by',
    'created_at',
    'deleted_at',
  ],
  withheld: {
    close_at: 'of an earlier release',
    locked_at: 'ends with who is inside',
    token_until: 'of tokens, which are not kept',
    first_person_id: 'of a temporary room, which is not kept',
    second_person_id: 'of a temporary room, which is not kept',
    wanted_until: 'of a temporary room, which is not kept',
  },
  order: ['id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    where: (organization) => sql`t.organization_id = ${organization} and t.first_person_id is null`,
    people: ['created_by', 'owner_id'],
    imported: {},
  },
  person: {
    columns: ['id', 'organization_id', 'name', 'created_at', 'deleted_at'],
    where: ({ id, organizations }) =>
      sql`t.created_by = ${id} and t.first_person_id is null and t.organization_id = any(${organizations}::bigint[])`,
  },
}
