import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowPosition } from './cursor.ts'
import { type Range, readCursorPage } from './cursor-page.ts'

/** A list in memory that is read the way a store reads its table. */
function listOf(rows: RowPosition[]) {
  return async ({ olderThan, newerThan, oldestFirst, limit }: Range): Promise<RowPosition[]> => {
    const within = rows
      .filter((row) => !olderThan || compare(row, olderThan) < 0)
      .filter((row) => !newerThan || compare(row, newerThan) > 0)
      .sort((a, b) => (oldestFirst ? compare(a, b) : compare(b, a)))
    return within.slice(0, limit)
  }
}

function compare(a: RowPosition, b: RowPosition): number {
  return a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

const row = (second: number): RowPosition => ({ at: new Date(second * 1_000), id: `row_${second}` })
const page = (rows: RowPosition[], request: { limit?: number | string; before?: string; after?: string }) =>
  readCursorPage(request, (of: RowPosition) => of, listOf(rows))

describe('a page by cursors', () => {
  it('is ten rows, newest first, where nothing else is asked for', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => row(n))
    const first = await page(rows, {})
    expect(first.rows.map(({ id }) => id)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `row_${n}`))
    expect(first.before).toBeNull()
    const second = await page(rows, { after: first.after as string })
    expect(second).toMatchObject({ rows: [row(1), row(0)], after: null })
    expect((await page(rows, { before: second.before as string })).rows).toEqual(first.rows)
  })

  it('takes digits for a limit', async () => {
    expect((await page([row(1), row(2), row(3)], { limit: '2' })).rows).toEqual([row(3), row(2)])
  })

  it('with both cursors is what lies between them', async () => {
    const rows = Array.from({ length: 6 }, (_, n) => row(n))
    const top = await page(rows, { limit: 1 })
    const bottom = await page(rows, { limit: 5 })
    const between = await page(rows, {
      after: top.after as string,
      before: (await page(rows, { limit: 1, after: bottom.after as string })).before as string,
    })
    expect(between.rows).toEqual([row(4), row(3), row(2), row(1)])
  })

  it('is empty with null at both ends where there is nothing', async () => {
    expect(await page([], {})).toEqual({ rows: [], before: null, after: null })
  })

  it('walks down over every row once while rows are added, and up again over all of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        async (seconds, limit) => {
          const rows = seconds.map(row)
          const [walked, added]: [RowPosition[], RowPosition[]] = [[], []]
          let query: { limit: number; after?: string } = { limit }
          let at = await page(rows, query)
          for (;;) {
            walked.push(...at.rows)
            const fresh = row(100 + added.length)
            added.push(fresh)
            rows.push(fresh)
            if (at.after === null) break
            query = { limit, after: at.after }
            at = await page(rows, query)
          }
          expect(walked).toEqual(seconds.map(row).sort((a, b) => compare(b, a)))
          if (query.after === undefined) return
          // what was added since belongs to the way up
          at = await page(rows, query)
          const back = [...at.rows]
          for (let up = at; up.before !== null; ) {
            up = await page(rows, { limit, before: up.before })
            back.unshift(...up.rows)
          }
          expect(back).toEqual([...rows].sort((a, b) => compare(b, a)))
        },
      ),
      { numRuns: 100 },
    )
  })

  it.each(['x', 'AAAA', Buffer.from('["2026-11-21T12:00:00Z","a b"]').toString('base64url')])(
    'refuses the cursor %s, naming the field',
    async (cursor) => {
      await expect(page([row(1)], { before: cursor })).rejects.toMatchObject({
        kind: 'invalid',
        details: [{ field: 'before' }],
      })
    },
  )
})
