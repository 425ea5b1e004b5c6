import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { freshEmail } from '../../../tests/office.ts'
import { openWorkosOffice, type WorkosOffice } from '../../../tests/vendors/workos-office.ts'
import { ProviderFailure } from '../../platform/refusal.ts'

/** What is done in the dashboard of WorkOS holds here. */
describe('followIdentity', () => {
  let context: WorkosOffice
  beforeAll(async () => {
    context = await openWorkosOffice()
  })
  afterAll(async () => {
    await context.office.close()
    expect(context.stub.misfits).toEqual([])
    await context.stub.close()
  })

  it('gives a role, once, and does not tell it back', async () => {
    const { founded, follow, stub, office } = context
    const { member, organization, roleOf, audited } = await founded()
    stub.administer(member.email, organization, 'moderator')
    await follow()
    await follow()
    expect(await roleOf(member.email)).toBe('moderator')
    const byProvider = (await audited()).filter(([, , by]) => by === 'identity-provider')
    expect(byProvider).toEqual([['member.role-changed', '', 'identity-provider']])
    const { rows } = await office.database.pool.query(
      `select 1 from work_items where queue = 'identity-changes'`,
    )
    expect(rows).toEqual([])
  })

  it('takes a member out, and their session works there no more', async () => {
    const { founded, follow, stub } = context
    const { member, organization, roleOf, audited } = await founded()
    expect((await member.browser.request('listMembers')).status).toBe(200)
    stub.administer(member.email, organization, undefined)
    await follow()
    expect((await member.browser.request('listMembers')).status).toBe(403)
    expect(await roleOf(member.email)).toBeUndefined()
    expect((await audited())[0]).toEqual(['member.removed', '', 'identity-provider'])
  })

  it('lets a person in who was made there, and never came here', async () => {
    const { founded, follow, stub } = context
    const { organization, roleOf } = await founded()
    const email = freshEmail()
    stub.administer(email, organization, 'member')
    await follow()
    expect(await roleOf(email)).toBe('member')
  })

  it('lets in again whom it took out itself, and none whom an administrator has removed here', async () => {
    const { founded, follow, tell, stub } = context
    const { founder, member, organization, roleOf } = await founded()
    stub.administer(member.email, organization, undefined)
    await follow()
    const { inviteLink } = await founder.browser.call('getInviteLink')
    const inviteToken = new URL(inviteLink).searchParams.get('invite_token') as string
    expect(await member.browser.request('joinOrganization', { inviteToken })).toMatchObject({
      status: 403,
      body: { error: 'removed' },
    })
    stub.administer(member.email, organization, 'member')
    await follow()
    expect(await roleOf(member.email)).toBe('member')

    await founder.browser.call('removeMember', { id: member.id })
    await tell()
    stub.administer(member.email, organization, 'member')
    await follow()
    expect(await roleOf(member.email)).toBeUndefined()
    await tell()
    await follow()
    expect(await roleOf(member.email)).toBeUndefined()
  })

  it('keeps the last admin, and says so to the provider', async () => {
    const { founded, follow, tell, stub, office } = context
    const { founder, organization, roleOf } = await founded()
    stub.administer(founder.email, organization, 'member')
    await follow()
    expect(await roleOf(founder.email)).toBe('admin')
    await tell()
    await follow()
    expect(await roleOf(founder.email)).toBe('admin')
    const { rows } = await office.database.pool.query(
      `select 1 from work_items where queue = 'identity-changes'`,
    )
    expect(rows).toEqual([])
  })

  it('lets a change of ours that is still to be told win', async () => {
    const { founded, follow, tell, stub } = context
    const { founder, member, organization, roleOf } = await founded()
    stub.administer(member.email, organization, 'moderator')
    await founder.browser.call('updateMember', { id: member.id, role: 'admin' })
    await follow()
    expect(await roleOf(member.email)).toBe('admin')
    await tell()
    await follow()
    expect(await roleOf(member.email)).toBe('admin')
  })

  it('knows the domains that are proven there', async () => {
    const { founded, follow, stub, office } = context
    const { organization } = await founded()
    const domain = `${freshEmail().split('@')[0]}.example`
    const states = async () => {
      const text = 'select state from organization_domains where domain = $1'
      return (await office.database.pool.query(text, [domain])).rows.map(({ state }) => state)
    }
    stub.setDomain(organization, domain, true)
    await follow()
    expect(await states()).toEqual(['verified'])
    stub.setDomain(organization, domain, false)
    await follow()
    expect(await states()).toEqual([])
  })

  it('ends a session that was ended there', async () => {
    const { signedUp, follow, stub } = context
    const { email, browser } = await signedUp()
    expect((await browser.request('getCurrentUser')).status).toBe(200)
    stub.endSession(email)
    await follow()
    expect((await browser.request('getCurrentUser')).status).toBe(401)
  })

  it('goes on where it stopped when the database gave up', async () => {
    const { founded, follow, stub, office } = context
    const { member, organization, roleOf } = await founded()
    stub.administer(member.email, organization, undefined)
    const members = await hold(
      office,
      'select 1 from organizations where identity_organization_id = $1 for update',
      [organization],
    )
    // heard from its beginning on: it may fail before the answer to the cancellation is here
    const isRefused = expect(follow()).rejects.toMatchObject({ code: '57014' })
    await untilBlocked(office, 1)
    await office.database.pool.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    await isRefused
    await members.letGo()
    await follow()
    expect(await roleOf(member.email)).toBeUndefined()
  })

  it('goes on where it stopped when the provider was away', async () => {
    const { founded, follow, stub } = context
    const { member, organization, roleOf } = await founded()
    stub.administer(member.email, organization, 'moderator')
    stub.fault = { status: 500 }
    await expect(follow()).rejects.toThrow(ProviderFailure)
    expect(await roleOf(member.email)).toBe('member')
    stub.fault = undefined
    await follow()
    expect(await roleOf(member.email)).toBe('moderator')
  })
})
