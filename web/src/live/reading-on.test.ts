import { expect, it } from 'vitest'
import { readingOnByCount } from './reading-on.ts'

type Answer = Parameters<ReturnType<typeof readingOnByCount<'listRecordings'>>['getNextPageParam']>[0]

const pageOf = (rows: number, total: number) =>
  ({ data: Array.from({ length: rows }), page: { limit: 100, offset: 0, total } }) as unknown as Answer

it('a list that is read by count goes on until all of it is read', () => {
  const { getNextPageParam } = readingOnByCount('listRecordings', { limit: 100 })
  const [first, last] = [pageOf(100, 105), pageOf(5, 105)]
  expect(getNextPageParam(first, [first], 0, [0])).toBe(100)
  expect(getNextPageParam(last, [first, last], 100, [0, 100])).toBeUndefined()
})
