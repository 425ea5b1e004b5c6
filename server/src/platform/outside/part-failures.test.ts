import { describe, expect, it } from 'vitest'
import { partedRun, partFailures } from './part-failures.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

/** Fails with all in which one of these is. */
function workOf(bad: readonly number[]) {
  const asked: (readonly number[])[] = []
  return {
    asked,
    work: async (items: readonly number[]) => {
      asked.push(items)
      if (items.some((one) => bad.includes(one))) throw new Error('away')
    },
  }
}

describe('what is done with many at once', () => {
  it('is done at once where nothing fails, and asks nothing of nobody', async () => {
    const { work, asked } = workOf([])
    expect(await partFailures(numbers(500), work)).toEqual({ done: numbers(500), failed: [] })
    expect(asked).toHaveLength(1)
    expect(await partFailures([], work)).toEqual({ done: [], failed: [] })
    expect(asked).toHaveLength(1)
  })

  it.each([[[0]], [[499]], [[7, 250]], [numbers(200)]])('goes on beside those of %j', async (bad) => {
    const { work, asked } = workOf(bad)
    const { done, failed, cause } = await partFailures(numbers(500), work)
    const inOrder = (list: number[]) => list.toSorted((one, other) => one - other)
    expect(inOrder(failed)).toEqual(bad)
    expect(inOrder(done)).toEqual(numbers(500).filter((one) => !bad.includes(one)))
    expect(cause).toMatchObject({ message: 'away' })
    expect(asked.length).toBeLessThan(500)
  })

  it('ends soon where everything fails', async () => {
    const { work, asked } = workOf(numbers(500))
    await expect(partFailures(numbers(500), work)).rejects.toThrow('away')
    expect(asked).toHaveLength(31)
    // a few failures do not tell the cause
    expect(await partFailures([1, 2], workOf([1, 2]).work)).toMatchObject({ done: [], failed: [1, 2] })
  })

  it('in pages tells at the end what failed', async () => {
    const { run, end } = partedRun('numbers', workOf([1, 7]).work)
    expect([await run([1, 2]), await run([3]), await run([7])]).toEqual([[2], [3], []])
    expect(end).toThrow('2 numbers failed, all others did not')
    partedRun('numbers', workOf([]).work).end()
  })
})
