import { describe, expect, it } from 'vitest'
import { judge, type Sample, tryReader } from './judge.ts'
import { MARKS, WORST_TEXTS, WORST_VALUES } from './texts.ts'

const FULL = 256 * 1_024
const at = (bytes: number, ms: number): Sample => ({ bytes, ms })

describe('the judge of costs', () => {
  it.each([
    ['linear', at(FULL / 2, 8), at(FULL, 16)],
    ['cheap, whatever its ratio', at(FULL / 2, 1), at(FULL, 4.9)],
    ['dearer than its size by half', at(FULL / 2, 8), at(FULL, 20)],
  ])('lets pass what is %s', (_what, half, whole) => {
    expect(judge(half, whole)).toBeUndefined()
  })

  it.each([
    ['grows with the square', at(FULL / 2, 5), at(FULL, 20), '4.0 times as much'],
    ['is linear with a huge constant', at(FULL / 2, 200), at(FULL, 400), 'ms are allowed'],
    ['costs nothing at half the size', at(FULL / 2, 0), at(FULL, 6), 'Infinity times as much'],
  ])('finds what %s', (_what, half, whole, reason) => {
    expect(judge(half, whole)).toContain(reason)
  })
})

describe('a trial of a reader', () => {
  /** A reader that costs steps instead of time. */
  const planted = (stepsOf: (bytes: number) => number) => {
    const sizes: number[] = []
    const measure = async (bytes: number) => {
      sizes.push(bytes)
      return { office: stepsOf(bytes) / 1_000, database: 0.1 }
    }
    return { sizes, measure }
  }
  const faultsOf = async (measure: (bytes: number) => Promise<{ office: number; database: number }>) =>
    (await tryReader(measure, FULL)).filter(({ fault }) => fault)

  it('finds a planted reader that is quadratic, and does not wait for it at full size', async () => {
    const { sizes, measure } = planted((bytes) => (bytes * bytes) / 1_000)
    expect(await faultsOf(measure)).toMatchObject([{ part: 'office' }])
    expect(Math.max(...sizes)).toBeLessThan(FULL)
  })

  it('finds one that is quadratic with a small constant, by its ratio alone', async () => {
    const { measure } = planted((bytes) => (bytes * bytes * 30_000) / (FULL * FULL))
    expect(await faultsOf(measure)).toMatchObject([
      { part: 'office', fault: expect.stringContaining('4.0 times') },
    ])
  })

  it('finds a real one: every letter compared with every other', async () => {
    const compare = (text: string) => {
      let same = 0
      for (const one of text) for (const other of text) if (one === other) same += 1
      return same
    }
    const measure = async (bytes: number) => {
      const text = WORST_TEXTS.find(({ name }) => name === 'letters')?.make(bytes / 64) ?? ''
      const before = process.threadCpuUsage()
      expect(compare(text)).toBeGreaterThan(0)
      const { user, system } = process.threadCpuUsage(before)
      return { office: (user + system) / 1_000, database: 0 }
    }
    expect(await faultsOf(measure)).toMatchObject([{ part: 'office' }])
  })

  it('finds one of the database, however little the office has to do', async () => {
    const measure = async (bytes: number) => ({ office: 1, database: (bytes * bytes * 200) / (FULL * FULL) })
    expect(await faultsOf(measure)).toMatchObject([{ part: 'database' }])
  })

  it('finds one that is dear up to a size, and refuses what is larger at once', async () => {
    const { measure } = planted((bytes) => (bytes > FULL / 8 ? 100 : bytes * 10))
    expect(await faultsOf(measure)).toMatchObject([
      { whole: { bytes: FULL / 16 }, fault: expect.any(String) },
    ])
  })

  it('lets one pass that costs a step more, and grows with its size', async () => {
    const { measure } = planted((bytes) => (bytes * 6_000) / FULL + (bytes === FULL ? 3_000 : 0))
    expect(await faultsOf(measure)).toEqual([])
  })

  it('lets a linear reader pass that was disturbed a few times', async () => {
    let calls = 0
    const measure = async (bytes: number) => {
      calls += 1
      const disturbance = calls <= 8 ? 400 : 0
      return { office: (bytes / FULL) * 10 + (bytes === FULL ? disturbance : 0), database: 0 }
    }
    expect(await faultsOf(measure)).toEqual([])
  })
})

describe('worst texts', () => {
  it.each([...WORST_TEXTS, ...WORST_VALUES])(
    '$name fills the size that is asked for, and no more',
    ({ make }) => {
      const bytes = Buffer.byteLength(make(FULL))
      expect(bytes).toBeLessThanOrEqual(FULL)
      expect(bytes).toBeGreaterThan(FULL * 0.8)
    },
  )

  it.each(WORST_VALUES)('$name is JSON', ({ make }) => {
    expect(() => JSON.parse(make(8_192))).not.toThrow()
  })

  it('marks are what normalisation has to put in order', () => {
    const text = MARKS.make(200)
    expect(text.normalize('NFC')).not.toBe(text)
  })
})
