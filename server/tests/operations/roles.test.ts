import { operationEntries, type Role, roles } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestOffice } from '../office.ts'
import { newMember, type Person } from '../people.ts'
import { reads } from './operation-row.ts'
import { rows } from './rows.ts'
import { openTrialOffice, type Stage, type StandingStage, send, setStage, standingStage } from './stage.ts'
import { tenantData } from './tenant-data.ts'

/** Every operation of an organization × every role. */
const cells = operationEntries
  .filter(([, { access }]) => access.kind === 'organization' || access.kind === 'any-organization')
  .flatMap(([id, declared]) => roles.map((role) => ({ id, declared, role })))

describe('roles and operations', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTrialOffice()
  })
  afterAll(() => office.close())

  async function staged(role: Role): Promise<{ stage: Stage; actor: Person }> {
    const stage = await setStage(office)
    return { stage, actor: await newMember(office, stage.founder, role) }
  }

  /** A role that only reads, or may not, leaves the stage as it was. */
  const stages = new Map(roles.map((role) => [role, standingStage(() => staged(role))]))

  it.each(cells)('$role: $id', async ({ id, declared, role }) => {
    const row = rows[id]
    const may = (row.roles ?? (roles as readonly Role[])).includes(role)
    const standing = stages.get(role) as StandingStage<Awaited<ReturnType<typeof staged>>>
    const { stage, actor } = await standing.now()
    if (may && row.audit !== reads) standing.leave()
    const { organizationId } = stage.founder
    const input = (await row.input?.(stage, actor)) ?? {}
    const before = await tenantData(office, organizationId)
    const answer = await send(actor.browser, id, input)
    if (may) {
      expect(Object.keys(declared.replies).map(Number)).toContain(answer.status)
      return
    }
    expect(answer).toMatchObject({ status: 403, body: { code: 403, error: 'role-not-allowed' } })
    expect(await tenantData(office, organizationId)).toBe(before)
    // with any body: it is not even looked at, where the role alone decides
    if ('permission' in declared.access && declared.body && !row.ownOnly?.includes(role)) {
      expect(await send(actor.browser, id, { ...pathOf(input), role: 5, email: 5 })).toMatchObject({
        status: 403,
      })
    }
  })

  it('are tried in every combination', () => {
    expect(cells.length % roles.length).toBe(0)
    expect(cells.length).toBeGreaterThanOrEqual(48)
  })
})

function pathOf(input: Record<string, unknown>): Record<string, unknown> {
  return input.id === undefined ? {} : { id: input.id }
}
