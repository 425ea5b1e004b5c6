import { readFileSync } from 'node:fs'

/** Which `schema.sql` files a database was last brought to: every change of them counts one up. */
export interface SchemaRevision {
  revision: number
  digest: string
}

/** The mark stands in a comment on a column that every release has: a release without such files passes over it. */
const MARKED = 'column public.schema_migrations.name'
const MARK = /^schema (\d+) ([0-9a-f]{64})$/

/** What the files of this release are: `server/migrations/schema.json`, written by `npm run generate`. */
export function ownRevision(): SchemaRevision {
  const file = new URL('../../../../migrations/schema.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as SchemaRevision
}

/** Answers one row with the `mark` of a database. */
export const MARK_QUERY = `select pg_catalog.col_description(a.attrelid, a.attnum) as mark
  from pg_catalog.pg_attribute a
  where a.attrelid = pg_catalog.to_regclass('public.schema_migrations') and a.attname = 'name'`

export function markStatement({ revision, digest }: SchemaRevision): string {
  return `comment on ${MARKED} is 'schema ${revision} ${digest}'`
}

/**
 * What a database has, by the mark on it, beside what this release's `schema.sql` files say. `later`: a release after this
 * one has been there, and is left alone. No release with such files has: `former`.
 */
export function compareMark(mark: string | null | undefined): 'former' | 'same' | 'later' {
  const [, revision = '0', digest] = MARK.exec(mark ?? '') ?? []
  const own = ownRevision()
  if (Number(revision) > own.revision) return 'later'
  return digest === own.digest ? 'same' : 'former'
}
