import { describe, expect, it } from 'vitest'
import { type OrganizationId, trusted } from '../../platform/ids.ts'
import { batchRevisionReads } from './current-revision.ts'

const [one, two] = [trusted.organizationId('1'), trusted.organizationId('2')]

/** A database that answers by hand, as of the moment of the answer. */
function slowDatabase() {
  const reads: { organizations: readonly OrganizationId[]; answer(revision: bigint): void; fail(): void }[] =
    []
  const revisionOf = batchRevisionReads((organizations) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<OrganizationId, bigint>>()
    reads.push({
      organizations,
      answer: (revision) => resolve(new Map(organizations.map((id) => [id, revision]))),
      fail: () => reject(new Error('away')),
    })
    return promise
  })
  return { reads, revisionOf }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('reading revisions', () => {
  it('asks once for all who wait', async () => {
    const { reads, revisionOf } = slowDatabase()
    const asked = Array.from({ length: 100 }, (_, at) => revisionOf(at % 2 ? one : two))
    await settled()
    expect(reads.map(({ organizations }) => [...organizations].sort())).toEqual([[one, two]])
    reads[0]?.answer(7n)
    expect(new Set(await Promise.all(asked))).toEqual(new Set([7n]))
  })

  it('never answers with what was read before the question', async () => {
    const { reads, revisionOf } = slowDatabase()
    const early = revisionOf(one)
    await settled()
    const late = [revisionOf(one), revisionOf(two)]
    await settled()
    expect(reads).toHaveLength(1)
    reads[0]?.answer(1n)
    expect(await early).toBe(1n)
    await settled()
    expect(reads).toHaveLength(2)
    reads[1]?.answer(2n)
    expect(await Promise.all(late)).toEqual([2n, 2n])
  })

  it('fails those who waited, and none after them', async () => {
    const { reads, revisionOf } = slowDatabase()
    const failing = expect(revisionOf(one)).rejects.toThrow('away')
    await settled()
    const next = revisionOf(one)
    reads[0]?.fail()
    await failing
    await settled()
    reads[1]?.answer(3n)
    expect(await next).toBe(3n)
  })

  it('takes an organization without a count as at its beginning', async () => {
    const revisionOf = batchRevisionReads(async () => new Map())
    expect(await revisionOf(one)).toBe(0n)
  })
})
