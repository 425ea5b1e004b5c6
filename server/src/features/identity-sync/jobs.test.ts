import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { makeWorker } from '../../platform/background/work-queue.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { IDENTITY_QUEUE } from './identity-changes.ts'
import { identityQueue } from './jobs.ts'

/** The provider hears what our tables say, through every failure in between. */
describe('the queue of identity changes', () => {
  let office: TestOffice
  /** What the provider knows: roles by organization and user, and names. */
  let known: Map<string, string>
  let calls: number
  let fails: boolean
  let founder: Awaited<ReturnType<typeof newFounder>>

  beforeAll(async () => {
    office = await openTestOffice()
    // the office's own worker would be faster
    await office.office.work.worker(IDENTITY_QUEUE).stop()
  })
  afterAll(() => office.close())
  beforeEach(async () => {
    known = new Map()
    calls = 0
    fails = false
    founder = await newFounder(office, 'Before')
  })

  const identity = {
    async createMembership(m: { organization: string; user: string; role: string }) {
      answer()
      known.set(`${m.organization} ${m.user}`, m.role)
    },
    async removeMembership(m: { organization: string; user: string }) {
      answer()
      known.delete(`${m.organization} ${m.user}`)
    },
    async renameOrganization(o: { organization: string; name: string }) {
      answer()
      known.set(o.organization, o.name)
    },
  }
  function answer() {
    calls += 1
    if (fails) throw new ProviderFailure('identity', 'anything', { retryable: true })
  }

  const { log } = recordedLog()
  const run = (at: typeof identity = identity) => {
    const { clock, database } = office
    const options = { db: database.db, clock, log, random: () => 0 }
    return makeWorker(identityQueue({ db: database.db, identity: at }), options).drain()
  }
  const roleOf = async ({ id }: Person) => {
    const { rows } = await office.database.pool.query('select identity_user_id from users where id = $1', [
      id,
    ])
    return known.get(`${founder.organizationId} ${rows[0].identity_user_id}`)
  }

  it('tells memberships, roles, removals and names, each once', async () => {
    const [one, two] = [await newMember(office, founder, 'member'), await newMember(office, founder, 'guest')]
    await run()
    expect([await roleOf(founder), await roleOf(one), await roleOf(two)]).toEqual([
      'admin',
      'member',
      'guest',
    ])
    const told = calls
    await run()
    expect(calls).toBe(told)

    await founder.browser.call('updateMember', { id: one.id, role: 'moderator' })
    await founder.browser.call('removeMember', { id: two.id })
    const { organizationId } = founder
    await founder.browser.call('updateOrganization', { organizationId, name: 'After' })
    await run()
    expect([await roleOf(one), await roleOf(two), known.get(organizationId)]).toEqual([
      'moderator',
      undefined,
      'After',
    ])
    expect(calls).toBe(told + 3)
  })

  it('goes on until the provider answers, with pauses, and then tells how things stand', async () => {
    const member = await newMember(office, founder, 'member')
    fails = true
    await run()
    const failed = calls
    expect(failed).toBeGreaterThan(0)
    await run()
    expect(calls).toBe(failed)
    await founder.browser.call('updateMember', { id: member.id, role: 'moderator' })
    fails = false
    office.clock.advance(5)
    await run()
    expect(await roleOf(member)).toBe('moderator')
    expect(await roleOf(founder)).toBe('admin')
  })

  it('tells it again after a crash between the provider’s answer and ours', async () => {
    const member = await newMember(office, founder, 'member')
    const dying = {
      ...identity,
      async createMembership(m: { organization: string; user: string; role: string }) {
        await identity.createMembership(m)
        await office.database.pool.query('select 1')
        throw new Error('the process died here')
      },
    }
    await run(dying)
    office.clock.advance(5)
    await run()
    expect(await roleOf(member)).toBe('member')
    const { rows } = await office.database.pool.query(
      `select count(*)::int as count from work_items where queue = '${IDENTITY_QUEUE}'`,
    )
    expect(rows).toEqual([{ count: 0 }])
  })

  it('does not lose a change that comes while the provider is being told of the one before', async () => {
    const member = await newMember(office, founder, 'member')
    await run()
    await founder.browser.call('updateMember', { id: member.id, role: 'moderator' })
    const slow = {
      ...identity,
      async createMembership(m: { organization: string; user: string; role: string }) {
        await identity.createMembership(m)
        if (m.role === 'moderator') await founder.browser.call('removeMember', { id: member.id })
      },
    }
    await run(slow)
    await run()
    expect(await roleOf(member)).toBeUndefined()
  })
})
