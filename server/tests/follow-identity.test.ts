import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workosNews } from '../src/adapters/workos/news.ts'
import { workosClient } from '../src/adapters/workos/workos-client.ts'
import { followIdentity } from '../src/features/members/follow-identity.ts'
import { reconcileIdentity } from '../src/features/members/jobs.ts'
import { ProviderFailure } from '../src/platform/refusal.ts'
import { freshEmail, openTestOffice, type TestOffice } from './office.ts'
import { recordedLog } from './recorded-log.ts'
import { openWorkosStub, STUB_REGISTRATION, type WorkosStub } from './workos-stub.ts'

/** What is done in the dashboard of WorkOS holds here. */
describe('followIdentity', () => {
  let stub: WorkosStub
  let office: TestOffice
  beforeAll(async () => {
    stub = await openWorkosStub()
    office = await openTestOffice({
      settings: {
        IDENTITY_PROVIDER: 'workos',
        ...STUB_REGISTRATION,
        WORKOS_API_URL: stub.url,
      },
    })
    // both jobs run when the tests say so
    await office.office.jobs.stop()
  })
  afterAll(async () => {
    await office.close()
    expect(stub.misfits).toEqual([])
    await stub.close()
  })

  const { log } = recordedLog()
  const ground = () => ({ db: office.database.db, clock: office.clock, log })
  async function follow() {
    const workos = workosClient({ apiKey: 'sk_test', clientId: 'client_test', apiUrl: stub.url })
    const needs = { ...ground(), callers: office.office.callers, news: workosNews(workos) }
    await followIdentity(needs, new AbortController().signal)
  }
  async function tell() {
    const { identity } = office.office.needs
    await reconcileIdentity({ ...ground(), identity }, new AbortController().signal)
  }
  async function signedUp() {
    const [email, browser] = [freshEmail(), office.browser()]
    await browser.call('signUp', { email })
    const { user } = await browser.call('finalizeMagicAuth', { email, code: stub.codeFor(email) })
    return { email, browser, id: user.id }
  }
  async function founded() {
    const founder = await signedUp()
    const { id } = await founder.browser.call('createOrganization', { name: 'Acme' })
    const { inviteLink } = await founder.browser.call('getInviteLink')
    const inviteToken = new URL(inviteLink).searchParams.get('invite_token') as string
    const member = await signedUp()
    await member.browser.call('joinOrganization', { inviteToken })
    await tell()
    await follow()
    const roleOf = async (email: string) => {
      const { data } = await founder.browser.call('listMembers', { query: email })
      return data[0]?.role
    }
    const audited = async () => {
      const { data } = await founder.browser.call('listAuditLog')
      return data.map(({ action, actor, detail }) => [action, actor.id, detail.by])
    }
    return { founder, member, organization: id, roleOf, audited }
  }

  it('gives a role, once, and does not tell it back', async () => {
    const { member, organization, roleOf, audited } = await founded()
    stub.administer(member.email, organization, 'moderator')
    await follow()
    await follow()
    expect(await roleOf(member.email)).toBe('moderator')
    const byProvider = (await audited()).filter(([, , by]) => by === 'identity-provider')
    expect(byProvider).toEqual([['member.role-changed', '', 'identity-provider']])
    const { rows } = await office.database.pool.query('select 1 from identity_changes')
    expect(rows).toEqual([])
  })

  it('takes somebody out, whose session works there no more', async () => {
    const { member, organization, roleOf, audited } = await founded()
    expect((await member.browser.request('listMembers')).status).toBe(200)
    stub.administer(member.email, organization, undefined)
    await follow()
    expect((await member.browser.request('listMembers')).status).toBe(403)
    expect(await roleOf(member.email)).toBeUndefined()
    expect((await audited())[0]).toEqual(['member.removed', '', 'identity-provider'])
  })

  it('lets somebody in who was made there, and never came here', async () => {
    const { organization, roleOf } = await founded()
    const email = freshEmail()
    stub.administer(email, organization, 'member')
    await follow()
    expect(await roleOf(email)).toBe('member')
  })

  it('keeps the last admin, and says so to the provider', async () => {
    const { founder, organization, roleOf } = await founded()
    stub.administer(founder.email, organization, 'member')
    await follow()
    expect(await roleOf(founder.email)).toBe('admin')
    await tell()
    await follow()
    expect(await roleOf(founder.email)).toBe('admin')
    const { rows } = await office.database.pool.query('select 1 from identity_changes')
    expect(rows).toEqual([])
  })

  it('lets a change of ours that is still to be told win', async () => {
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
    const { email, browser } = await signedUp()
    expect((await browser.request('getCurrentUser')).status).toBe(200)
    stub.endSession(email)
    await follow()
    expect((await browser.request('getCurrentUser')).status).toBe(401)
  })

  it('goes on where it stopped when the provider was away', async () => {
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
