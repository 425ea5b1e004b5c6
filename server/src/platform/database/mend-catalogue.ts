import { sql } from 'kysely'
import { catalogueDifferences, type Difference } from './catalogue.ts'
import type { Db } from './database.ts'
import { transaction } from './transaction.ts'

export interface Mended {
  done: Difference[]
  /** What is still wrong, with why it could not be mended. */
  left: (Difference & { reason: string })[]
}

const LOCK_TIMEOUT = '10s'
const NO_STATEMENT = 'it holds rows, which only a backup brings back'

/**
 * Makes again what the migrations made, as far as no rows are involved. What was made may bring a right with it that the
 * migrations had taken away, so it is looked at again until nothing more can be done.
 */
export async function mendCatalogue(db: Db): Promise<Mended> {
  const done: Difference[] = []
  for (;;) {
    const mended = await mendOnce(db, await catalogueDifferences(db))
    done.push(...mended.done)
    if (mended.done.length === 0) return { done, left: mended.left }
  }
}

/** Each by itself, all in one transaction. */
async function mendOnce(db: Db, differences: readonly Difference[]): Promise<Mended> {
  const mended: Mended = { done: [], left: [] }
  await transaction(db, async (tx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(tx)
    // a function may name another one that comes after it
    await sql`set local check_function_bodies = off`.execute(tx)
    for (const difference of differences) {
      if (difference.mend.length === 0) {
        mended.left.push({ ...difference, reason: NO_STATEMENT })
        continue
      }
      await sql`savepoint mend`.execute(tx)
      try {
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

/** One difference as a sentence for whoever runs the office. */
export function sentenceOf({ kind, name, what }: Difference): string {
  const subject = kind === 'row security' ? `row-level security of ${short(name)}` : `${kind} ${short(name)}`
  const effect = EFFECTS[kind] && what !== 'unexpected' ? ` (${EFFECTS[kind]})` : ''
  if (what === 'missing') return `The ${subject} is missing${effect}.`
  if (what === 'unexpected') return `The ${subject} is none of the migrations': it allows more than they do.`
  if (kind === 'role')
    return `The role ${name} passes over row-level security, or the user of the database may not become it${effect}.`
  return `The ${subject} is not as the migrations made it${effect}.`
}

function short(name: string): string {
  return name.replaceAll('public.', '')
}

/** Whether an office does its work all the same, only slower. */
export function isHarmless({ kind, digest: _, mend }: Difference): boolean {
  return kind === 'index' && !mend.some((statement) => statement.startsWith('CREATE UNIQUE'))
}
