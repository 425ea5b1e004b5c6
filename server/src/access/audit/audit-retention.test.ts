import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { atrium } from '../../../tests/operator/command-line.ts'
import {
  auditOf,
  newFounder,
  newMember,
  type Person,
  signInAgain,
  wholeAuditOf,
} from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import type { ErasedPerson } from '../../directory/erasure.ts'
import { findOrganization } from '../../directory/organizations.ts'
import { trusted } from '../../platform/ids.ts'
import { eraseFromTrails } from './audit-erasure.ts'
import { verifyAuditTrail } from './audit-verdict.ts'

const DAY = 24 * 60 * 60

type Founder = Person & { organizationId: string }

describe('audit trails whose beginning is over', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { AUDIT_RETENTION_DAYS_MIN: '30' } })
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  const shorten = () => office.office.jobs.runNow('shorten-audit-trails')
  const query = async (text: string, ...values: unknown[]) =>
    (await office.database.pool.query(text, values)).rows
  const verdictOf = async ({ organizationId }: Founder) => {
    const { db } = office.database
    const found = await findOrganization(db, trusted.identityOrganizationId(organizationId))
    if (!found) throw new Error('there is no such organization')
    return await verifyAuditTrail(db, found.id)
  }
  const rename = ({ browser, organizationId }: Founder, name: string) =>
    browser.call('updateOrganization', { organizationId, name })
  const actionsOf = async (founder: Founder) => (await wholeAuditOf(founder)).map(({ action }) => action)

  /** An organization that keeps its trail for 30 days, has some entries of today, and as many of 31 days ago. */
  async function withOldEntries(): Promise<Founder> {
    const founder = await newFounder(office)
    await rename(founder, 'Old')
    await rename(founder, 'Older')
    office.clock.advance(31 * DAY)
    const { browser } = await signInAgain(office, founder.email)
    const again = { ...founder, browser }
    await browser.call('updateOrganizationRetention', { auditDays: 30 })
    return again
  }

  it('are shortened so that what is left can be verified, and says so itself', async () => {
    const founder = await withOldEntries()
    const before = await wholeAuditOf(founder)
    await shorten()
    const after = await wholeAuditOf(founder)
    expect(after.map(({ action }) => action)).toEqual([
      'member.signed-in',
      'organization.retention-changed',
      'audit-log.shortened',
    ])
    expect(after[0]).toEqual(before.at(-2))
    const removed = before.length - 2
    expect(after.at(-1)).toMatchObject({
      actor: { kind: 'operator' },
      target: { kind: 'organization', id: founder.organizationId },
      detail: { entries: removed, through: String(removed), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(await verdictOf(founder)).toMatchObject({
      ...{ entries: 3, brokenAt: undefined },
      cut: { sequence: String(removed) },
    })
    await rename(founder, 'Newer')
    expect(await verdictOf(founder)).toMatchObject({ entries: 4, brokenAt: undefined })
  })

  it('stay as they are where nobody has decided, and are shortened once', async () => {
    const [founder, other] = [await newFounder(office), await withOldEntries()]
    await shorten()
    const [one, two] = [await query('select 1 from audit_cuts'), await actionsOf(other)]
    await shorten()
    expect(await query('select 1 from audit_cuts')).toEqual(one)
    expect(await actionsOf(other)).toEqual(two)
    const { browser } = await signInAgain(office, founder.email)
    expect((await actionsOf({ ...founder, browser }))[0]).toBe('organization.created')
    expect((await verdictOf(founder)).cut).toBeUndefined()
  })

  it('do not go on for ever where nothing happens but their own shortening', async () => {
    const founder = await withOldEntries()
    await shorten()
    for (let month = 0; month < 3; month += 1) {
      office.clock.advance(31 * DAY)
      await shorten()
    }
    const { browser } = await signInAgain(office, founder.email)
    expect(await actionsOf({ ...founder, browser })).toEqual(['audit-log.shortened', 'member.signed-in'])
    expect(await verdictOf(founder)).toMatchObject({ entries: 2, brokenAt: undefined })
  })

  it('show a beginning that is merely missing, and a cut that nobody has made', async () => {
    const [missing, moved] = [await withOldEntries(), await withOldEntries()]
    const cutOf = `(select id from organizations where identity_organization_id = $1)`
    await shorten()
    // an attacker with the database takes one more entry away, and says that it was over
    await query(
      `update audit_cuts c set sequence = e.sequence, hash = e.hash from audit_entries e
        where c.organization_id = ${cutOf} and e.organization_id = c.organization_id and e.sequence = c.sequence + 1`,
      moved.organizationId,
    )
    await query(
      `delete from audit_entries e using audit_cuts c
        where c.organization_id = ${cutOf} and e.organization_id = c.organization_id and e.sequence <= c.sequence`,
      moved.organizationId,
    )
    expect((await verdictOf(moved)).brokenAt).toBe(String((await verdictOf(moved)).cut?.sequence))
    await query(`delete from audit_cuts where organization_id = ${cutOf}`, missing.organizationId)
    expect((await verdictOf(missing)).brokenAt).toBe('1')
  })

  it('are refused any other removal by the database', async () => {
    const founder = await withOldEntries()
    await shorten()
    const { cut } = await verdictOf(founder)
    await expect(
      query(
        `delete from audit_entries where organization_id = (select id from organizations where identity_organization_id = $1)
          and sequence = $2`,
        founder.organizationId,
        String(BigInt(cut?.sequence ?? 0) + 1n),
      ),
    ).rejects.toThrow('never changed')
  })

  it('are verified by the command: what this office has signed, and what a kept checkpoint is worth then', async () => {
    const founder = await newFounder(office)
    const kept = await founder.browser.call('checkpointAuditLog')
    await rename(founder, 'Old')
    const last = await founder.browser.call('checkpointAuditLog')
    office.clock.advance(31 * DAY)
    const { browser } = await signInAgain(office, founder.email)
    await browser.call('updateOrganizationRetention', { auditDays: 30 })
    const recent = await browser.call('checkpointAuditLog')
    await shorten()
    const verify = (...more: string[]) =>
      atrium(office, ['organization', 'verify-audit', founder.organizationId, ...more])
    expect(await verify()).toContain(`Up to entry ${last.sequence} it was removed`)
    expect(await verify('--checkpoint', kept.checkpoint)).toContain('nothing can be said of it')
    for (const { checkpoint, sequence } of [last, recent])
      expect(await verify('--checkpoint', checkpoint)).toContain(`It still has entry ${sequence}`)
    const changeHash = (hash: string) =>
      query(
        `update audit_cuts set statement = $2 from organizations o
          where o.id = organization_id and o.identity_organization_id = $1`,
        founder.organizationId,
        hash,
      )
    await changeHash(kept.checkpoint)
    await expect(verify()).rejects.toThrow('neither SECRET_KEY nor one of SECRET_KEY_PREVIOUS has signed')
    await changeHash('forged')
    await expect(verify()).rejects.toThrow('has signed that')
  })

  it('hold where somebody was erased, whether that is told before or after what was removed', async () => {
    for (const removed of ['what they did', 'what they did, and that they were erased']) {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, 'member')
      await member.browser.call('updateProfile', { displayName: 'Somebody Else' })
      const apart = removed === 'what they did' ? 20 : 0
      office.clock.advance(apart * DAY)
      const { rows } = await office.database.pool.query(
        'select identity_user_id as id from users where id = $1',
        [member.id],
      )
      await eraseFromTrails(
        office.database.db,
        {
          id: member.id as ErasedPerson['id'],
          identityId: rows[0].id,
          ...{ emails: [member.email], names: [], deletedAt: office.clock.now() },
        },
        office.clock.now(),
      )
      office.clock.advance((31 - apart) * DAY)
      const { browser } = await signInAgain(office, founder.email)
      await browser.call('updateOrganizationRetention', { auditDays: 30 })
      await shorten()
      expect((await verdictOf(founder)).brokenAt).toBeUndefined()
      const left = (await auditOf({ browser })).map(({ action }) => action)
      expect(left.includes('member.erased')).toBe(apart > 0)
      expect(left).toContain('audit-log.shortened')
    }
  })
})
