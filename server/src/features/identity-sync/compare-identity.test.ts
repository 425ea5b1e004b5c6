import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { freshEmail, openTestOffice } from '../../../tests/office.ts'
import { until } from '../../../tests/until.ts'
import { openWorkosOffice, type WorkosOffice } from '../../../tests/vendors/workos-office.ts'
import { list, pageOf } from '../../../tests/vendors/workos-shapes.ts'
import { STUB_REGISTRATION } from '../../../tests/vendors/workos-stub.ts'
import { ProviderFailure } from '../../platform/refusal.ts'

const DAY = 24 * 60 * 60

/** What was done in the dashboard of WorkOS is found without its events. */
describe('compareIdentity', () => {
  let context: WorkosOffice
  beforeAll(async () => {
    context = await openWorkosOffice()
  })
  afterAll(async () => {
    await context.office.close()
    expect(context.stub.misfits).toEqual([])
    await context.stub.close()
  })
  afterEach(() => {
    context.stub.fault = undefined
    context.stub.page = pageOf
  })

  /** Done there, without an event. */
  function administer(email: string, organization: string, role: string | undefined) {
    context.stub.administer(email, organization, role)
    context.stub.forgetEvents()
  }
  /** Whenever it ran last, it is time. */
  async function compareNow() {
    context.office.clock.advance(DAY + 1)
    await context.compare()
  }
  const reconciledAt = async () =>
    (await context.office.database.pool.query('select reconciled_at from identity_news')).rows[0]
      ?.reconciled_at

  it('gives roles, takes people out and lets people in as the events would have', async () => {
    const { founded } = context
    const { founder, member, organization, roleOf, audited } = await founded()
    const [leaver, newcomer] = [await context.signedUp(), freshEmail()]
    const { inviteLink } = await founder.browser.call('getInviteLink')
    const inviteToken = new URL(inviteLink).searchParams.get('invite_token') as string
    await leaver.browser.call('joinOrganization', { inviteToken })
    await context.tell()
    administer(member.email, organization, 'moderator')
    administer(leaver.email, organization, undefined)
    administer(newcomer, organization, 'member')
    expect((await leaver.browser.request('listMembers')).status).toBe(200)
    // by pages, as a large organization comes
    context.stub.page = (all, query) => {
      query.set('limit', '1')
      return pageOf(all, query)
    }
    await compareNow()
    expect(await roleOf(member.email)).toBe('moderator')
    expect(await roleOf(newcomer)).toBe('member')
    expect(await roleOf(leaver.email)).toBeUndefined()
    expect((await leaver.browser.request('listMembers')).status).toBe(403)
    const byProvider = (await audited())
      .filter(([, , by]) => by === 'identity-provider')
      .map(([action]) => action)
    expect(byProvider.sort()).toEqual(['member.joined', 'member.removed', 'member.role-changed'])
    const { rows } = await context.office.database.pool.query(
      `select 1 from work_items where queue = 'identity-changes'`,
    )
    expect(rows).toEqual([])
  })

  it('takes a leaver out behind a member with a place that cannot be taken over', async () => {
    const { founder, member, organization, roleOf } = await context.founded()
    const leaver = await context.signedUp()
    const { inviteLink } = await founder.browser.call('getInviteLink')
    const inviteToken = new URL(inviteLink).searchParams.get('invite_token') as string
    await leaver.browser.call('joinOrganization', { inviteToken })
    await context.tell()
    administer(member.email, organization, 'moderator')
    administer(leaver.email, organization, undefined)
    const { pool } = context.office.database
    await pool.query(`
      create function refuse_moderator() returns trigger language plpgsql as
      $$ begin raise exception 'nobody is a moderator today'; end $$;
      create trigger refused before update on memberships for each row when (new.role = 'moderator')
        execute function refuse_moderator()`)
    await compareNow()
    await pool.query('drop trigger refused on memberships')
    expect(await roleOf(member.email)).toBe('member')
    expect(await roleOf(leaver.email)).toBeUndefined()
  })

  it('is a job of the leader, which runs when an office opens on a new database', async () => {
    const settings = { IDENTITY_PROVIDER: 'workos', ...STUB_REGISTRATION, WORKOS_API_URL: context.stub.url }
    const office = await openTestOffice({ settings, jobsAtOnce: true })
    const reconciled = 'select 1 from identity_news where reconciled_at is not null'
    await until(async () => (await office.database.pool.query(reconciled)).rows.length === 1)
    await office.office.jobs.runNow('compare-identity')
    await office.close()
  })

  it('does so at the first start, and then once a day', async () => {
    const { member, organization, roleOf } = await context.founded()
    await context.office.database.pool.query('delete from identity_news')
    administer(member.email, organization, 'moderator')
    await context.compare()
    expect(await roleOf(member.email)).toBe('moderator')
    administer(member.email, organization, 'guest')
    context.office.clock.advance(DAY - 60)
    await context.compare()
    expect(await roleOf(member.email)).toBe('moderator')
    context.office.clock.advance(60)
    await context.compare()
    expect(await roleOf(member.email)).toBe('guest')
  })

  it('does so when WorkOS no longer knows the event that was read last', async () => {
    const { member, founder, organization, roleOf } = await context.founded()
    context.stub.administer(member.email, organization, 'guest')
    await context.follow()
    await compareNow()
    administer(member.email, organization, 'moderator')
    await context.compare()
    expect(await roleOf(member.email)).toBe('guest')
    await context.follow()
    await context.compare()
    expect(await roleOf(member.email)).toBe('moderator')
    // and news are read again from then on
    context.stub.administer(member.email, organization, 'member')
    await context.follow()
    expect(await roleOf(member.email)).toBe('member')
    expect(await roleOf(founder.email)).toBe('admin')
  })

  it('takes no member out because a list lacks them', async () => {
    const { member, roleOf } = await context.founded()
    context.stub.page = (all, query) => (query.has('user_id') ? pageOf(all, query) : list([]))
    await compareNow()
    expect(await roleOf(member.email)).toBe('member')
  })

  it('takes nobody out where nobody at all is left, whoever is asked for', async () => {
    const { member, roleOf } = await context.founded()
    context.stub.page = () => list([])
    await compareNow()
    expect(await roleOf(member.email)).toBe('member')
  })

  it('goes on where one organization has a domain that is verified for another', async () => {
    const [first, second] = [await context.founded(), await context.founded()]
    const domain = `${crypto.randomUUID()}.example`
    context.stub.setDomain(first.organization, domain, true)
    await context.office.database.pool.query(
      `insert into organization_domains (organization_id, domain, state, challenge, created_at)
       select id, $1, 'verified', '', now() from organizations where identity_organization_id = $2`,
      [domain, second.organization],
    )
    administer(second.member.email, second.organization, 'moderator')
    await compareNow()
    expect(await second.roleOf(second.member.email)).toBe('moderator')
    expect(await reconciledAt()).toBeTruthy()
  })

  it('changes nothing where the list breaks off, and tries again', async () => {
    const { member, organization, roleOf } = await context.founded()
    await compareNow()
    const before = await reconciledAt()
    administer(member.email, organization, 'moderator')
    context.stub.page = (all, query) => {
      query.set('limit', '1')
      return query.has('after') ? [500, {}] : pageOf(all, query)
    }
    await expect(compareNow()).rejects.toThrow(ProviderFailure)
    expect(await roleOf(member.email)).toBe('member')
    expect(await reconciledAt()).toEqual(before)
    context.stub.page = pageOf
    await context.compare()
    expect(await roleOf(member.email)).toBe('moderator')
    expect(await reconciledAt()).not.toEqual(before)
  })

  it('tries again what the database gave up', async () => {
    const { member, organization, roleOf } = await context.founded()
    await compareNow()
    const before = await reconciledAt()
    administer(member.email, organization, 'moderator')
    const { pool } = context.office.database
    const members = await hold(
      context.office,
      'select 1 from organizations where identity_organization_id = $1 for update',
      [organization],
    )
    const compared = compareNow()
    await untilBlocked(context.office, 1)
    await pool.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    await compared
    await members.letGo()
    expect(await reconciledAt()).toEqual(before)
    await context.compare()
    expect(await roleOf(member.email)).toBe('moderator')
  })

  it('takes no member out of an organization that WorkOS does not know, nor while it is away', async () => {
    const { founder, member, organization, roleOf } = await context.founded()
    context.stub.forgetOrganization(organization)
    administer(member.email, organization, undefined)
    administer(founder.email, organization, undefined)
    await compareNow()
    expect(await roleOf(member.email)).toBe('member')
    context.stub.fault = { status: 500 }
    await expect(compareNow()).rejects.toThrow(ProviderFailure)
    expect(await roleOf(member.email)).toBe('member')
  })

  it('keeps the last admin, and lets what is still to be told win', async () => {
    const { founder, member, organization, roleOf } = await context.founded()
    administer(founder.email, organization, undefined)
    administer(member.email, organization, 'guest')
    await founder.browser.call('updateMember', { id: member.id, role: 'moderator' })
    await compareNow()
    expect(await roleOf(founder.email)).toBe('admin')
    expect(await roleOf(member.email)).toBe('moderator')
    await context.tell()
    await compareNow()
    expect(await roleOf(member.email)).toBe('moderator')
    const { rows } = await context.office.database.pool.query(
      `select 1 from work_items where queue = 'identity-changes'`,
    )
    expect(rows).toEqual([])
  })
})
