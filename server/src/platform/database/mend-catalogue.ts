import { sql } from 'kysely'
import { catalogueDifferences, type Difference, withCompleteNames } from './catalogue.ts'
import type { Db } from './database.ts'
import { isInSchemaFiles } from './schema/schema-files.ts'

export interface Mended {
  done: Difference[]
  /** What is still wrong, with why it could not be mended. */
  left: (Difference & { reason: string })[]
}

const LOCK_TIMEOUT = '10s'
const NO_STATEMENT = 'it holds rows, which only a backup brings back'
const NOT_OURS = "it may be somebody else's: take it away, or take its schema out of the search_path"
const STAYED =
  'the database took the statement, and it is as before: another role, its owner or a grant of somebody else brings it'

/**
 * Makes again what the migrations made, as far as no rows are involved. What was made may bring a right with it that the
 * migrations had taken away, so it is looked at again until nothing more can be done. What is as before after it was
 * mended is left: it would be mended for ever.
 */
export async function mendCatalogue(db: Db): Promise<Mended> {
  const done = new Map<string, Difference>()
  for (;;) {
    const differences = await catalogueDifferences(db)
    const stayed = differences.filter((each) => done.has(keyOf(each)))
    const mended = await mendOnce(
      db,
      differences.filter((each) => !stayed.includes(each)),
    )
    for (const each of mended.done) done.set(keyOf(each), each)
    if (mended.done.length > 0) continue
    for (const each of stayed) done.delete(keyOf(each))
    return {
      done: [...done.values()],
      left: [...mended.left, ...stayed.map((each) => ({ ...each, reason: STAYED }))],
    }
  }
}

function keyOf({ kind, name, what }: Difference): string {
  return `${what} ${kind} ${name}`
}

/** Each by itself, all in one transaction. */
async function mendOnce(db: Db, differences: readonly Difference[]): Promise<Mended> {
  const mended: Mended = { done: [], left: [] }
  await withCompleteNames(db, async (tx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(tx)
    // a function may name another one that comes after it
    await sql`set local check_function_bodies = off`.execute(tx)
    for (const difference of differences) {
      if (difference.mend.length === 0) {
        mended.left.push({ ...difference, reason: difference.kind === 'shadow' ? NOT_OURS : NO_STATEMENT })
        continue
      }
      await sql`savepoint mend`.execute(tx)
      try {
        // the statements of `schema.sql` name what is ours without its schema
        const path = isInSchemaFiles(difference) ? 'public, pg_temp' : ''
        await sql`select set_config('search_path', ${path}, true)`.execute(tx)
        for (const statement of difference.mend) await sql.raw(statement).execute(tx)
        mended.done.push(difference)
      } catch (error) {
        await sql`rollback to savepoint mend`.execute(tx)
        mended.left.push({ ...difference, reason: (error as Error).message })
      }
    }
  })
  return mended
}

const EFFECTS: Partial<Record<Difference['kind'], string>> = {
  role: 'chat cannot be served without it',
  'row security': 'without it nothing keeps conversations from those who are not in them',
  policy: 'it decides who sees which conversation',
}

/** One difference as a sentence for the operator. */
export function sentenceOf(difference: Difference): string {
  const { kind, what } = difference
  const name = shortName(difference)
  const subject = kind === 'row security' ? `row-level security of ${name}` : `${kind} ${name}`
  const effect = EFFECTS[kind] && what !== 'unexpected' ? ` (${EFFECTS[kind]})` : ''
  if (kind === 'reach')
    return `The right ${name} comes by a column, another role or as its owner: the migrations do not give it.`
  if (kind === 'owner')
    return `The role ${name.replace(' of ', ' owns the ')}: its rules do not hold for whoever owns it.`
  if (kind === 'shadow')
    return `The ${name} is found before the one of the migrations (search_path): the office takes it for its own.`
  if (what === 'missing') return `The ${subject} is missing${effect}.`
  if (what === 'unexpected') return `The ${subject} is none of the migrations': it allows more than they do.`
  if (kind === 'role')
    return `The role ${name} passes over row-level security, may sign in by itself, or the user of the database may not become it${effect}.`
  return `The ${subject} is not as the migrations made it${effect}.`
}

/** As people read it, in one line, with any characters of its name. */
export function shortName({ name }: Pick<Difference, 'name'>): string {
  return name
    .replaceAll('public.', '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}

/** Whether an office does its work all the same, only slower. */
export function isHarmless({ kind, digest: _, mend }: Difference): boolean {
  return kind === 'index' && !mend.some((statement) => statement.startsWith('CREATE UNIQUE'))
}
