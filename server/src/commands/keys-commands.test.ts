import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { atrium } from '../../tests/operator/command-line.ts'
import { newFounder, type Person, signInAgain } from '../../tests/people.ts'
import { until } from '../../tests/until.ts'
import { readConfig } from '../configuration/config.ts'
import { lookAtKeys } from './doctor/keys.ts'

const DAY = 24 * 60 * 60
const [OLD, NEW] = ['old'.repeat(12), 'new'.repeat(12)]
const ROTATING = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD }
const FORGOTTEN = { SECRET_KEY: NEW }

describe('ends of shortened audit trails, when SECRET_KEY changes', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { SECRET_KEY: OLD, AUDIT_RETENTION_DAYS_MIN: '30' } })
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  const keys = (command: 'status' | 'reseal', settings: Record<string, string>) =>
    atrium(office, ['keys', command], { settings })
  const verify = ({ organizationId }: { organizationId: string }, settings: Record<string, string>) =>
    atrium(office, ['organization', 'verify-audit', organizationId], { settings })
  const doctor = (settings: Record<string, string>) => {
    const environment = { ATRIUM_ENV: 'test', DATABASE_URL: office.database.connectionString, ...settings }
    return lookAtKeys(readConfig(environment, '/nowhere'))
  }

  async function newShortened(): Promise<Person & { organizationId: string }> {
    const founder = await newFounder(office)
    office.clock.advance(31 * DAY)
    const { browser } = await signInAgain(office, founder.email)
    await browser.call('updateOrganizationRetention', { auditDays: 30 })
    await office.office.jobs.runNow('shorten-audit-trails')
    return founder
  }

  it('need the former key until they are signed anew, and whoever rotates is told so', async () => {
    const founder = await newShortened()
    // sealed as well, and over by itself within a day
    await office.database.pool.query('delete from idempotent_replies')
    const needed = await keys('status', ROTATING)
    expect(needed).toContain('1 ends of shortened audit trails: SECRET_KEY_PREVIOUS (number 1)')
    expect(needed).toContain('SECRET_KEY_PREVIOUS (number 1) is still needed')
    const lost = /No key that is set opens: .*1 ends of shortened audit trails \(key id [\w-]{43}\)/
    await expect(keys('status', FORGOTTEN)).rejects.toThrow(lost)
    expect(await doctor(FORGOTTEN)).toMatchObject([{ ok: false, says: expect.stringMatching(lost) }])
    await expect(verify(founder, FORGOTTEN)).rejects.toThrow(
      /is said to be signed with a key \(key id [\w-]{43}\) that is neither SECRET_KEY nor one of SECRET_KEY_PREVIOUS/,
    )
    expect(await verify(founder, ROTATING)).toContain('is whole')
    // a checkpoint that was kept elsewhere needs the former key for as long as it is to be compared
    const { browser } = await signInAgain(office, founder.email)
    const { checkpoint } = await browser.call('checkpointAuditLog')
    const compare = (settings: Record<string, string>) =>
      atrium(office, ['organization', 'verify-audit', founder.organizationId, '--checkpoint', checkpoint], {
        settings,
      })
    expect(await compare(ROTATING)).toContain('It still has entry')
    await expect(compare(FORGOTTEN)).rejects.toThrow(
      /The checkpoint is said to be signed with a key \(key id /,
    )
    const resealed = await keys('reseal', ROTATING)
    expect(resealed).toContain('Signed anew: 1 ends of shortened audit trails')
    expect(resealed).toContain('SECRET_KEY_PREVIOUS (number 1) can be taken away')
    expect(await keys('reseal', ROTATING)).not.toContain('Signed anew')
    expect(await verify(founder, FORGOTTEN)).toContain('is whole')
    expect((await keys('status', FORGOTTEN)).split('\n')).toContain(
      '1 ends of shortened audit trails: SECRET_KEY',
    )
  })

  it('are signed anew by nodes that run; those that somebody has changed are not', async () => {
    await keys('reseal', ROTATING)
    const [founder, forged] = [await newShortened(), await newShortened()]
    const cutOf = (column: string) =>
      `update audit_cuts set ${column} from organizations o
        where o.id = organization_id and o.identity_organization_id = $1`
    // cut off once more, further on, without a key
    await office.database.pool.query(cutOf('sequence = sequence + 1'), [forged.organizationId])
    await office.office.jobs.stop()
    const node = await openTestOffice({ beside: office, settings: ROTATING })
    try {
      await until(async () => node.office.jobs.isLeader())
      await node.office.jobs.runNow('reseal')
    } finally {
      await node.close()
    }
    expect(await verify(founder, FORGOTTEN)).toContain('is whole')
    for (const settings of [ROTATING, FORGOTTEN])
      await expect(verify(forged, settings)).rejects.toThrow('The beginning of the audit trail is missing')
    expect(await keys('reseal', ROTATING)).toContain(
      'Not signed by us as they are: 1 ends of shortened audit trails',
    )
  })
})
