import { workosNews } from '../../src/adapters/workos/news.ts'
import { workosClient } from '../../src/adapters/workos/workos-client.ts'
import { compareIdentity } from '../../src/features/identity-sync/compare-identity.ts'
import { followIdentity } from '../../src/features/identity-sync/follow-identity.ts'
import { IDENTITY_QUEUE } from '../../src/features/identity-sync/identity-changes.ts'
import { identityQueue } from '../../src/features/identity-sync/jobs.ts'
import { makeWorker } from '../../src/platform/background/work-queue.ts'
import { freshEmail, openTestOffice } from '../office.ts'
import { recordedLog } from '../recorded-log.ts'
import { openWorkosStub, STUB_REGISTRATION } from './workos-stub.ts'

/** An office on a stand-in for WorkOS, with jobs that run when a test says so. */
export async function openWorkosOffice() {
  const stub = await openWorkosStub()
  const settings = { IDENTITY_PROVIDER: 'workos', ...STUB_REGISTRATION, WORKOS_API_URL: stub.url }
  const office = await openTestOffice({ settings })
  await office.office.jobs.stop()
  await office.office.work.worker(IDENTITY_QUEUE).stop()

  const { log } = recordedLog()
  const context = { db: office.database.db, clock: office.clock, log }
  const workos = workosClient({ apiKey: 'sk_test', clientId: 'client_test', apiUrl: stub.url })
  const following = { ...context, callers: office.office.callers, news: workosNews(workos) }
  const signal = new AbortController().signal
  const { identity } = office.office.needs
  const teller = makeWorker(identityQueue({ db: context.db, identity }), context)
  const tell = () => teller.drain()
  const follow = () => followIdentity(following, signal)
  const compare = () => compareIdentity(following, signal)

  async function signedUp() {
    const [email, browser] = [freshEmail(), office.browser()]
    await browser.call('signUp', { email })
    await office.office.identityWork.settle()
    const { user } = await browser.call('finalizeMagicAuth', { email, code: stub.codeFor(email) })
    return { email, browser, id: user.id }
  }
  /** An organization with an admin and a member, both known to WorkOS. */
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
      return data
        .filter(({ action }) => action !== 'member.signed-in')
        .map(({ action, actor }) => [action, actor.id ?? '', actor.kind])
    }
    return { founder, member, organization: id, roleOf, audited }
  }
  return { stub, office, tell, follow, compare, signedUp, founded }
}

export type WorkosOffice = Awaited<ReturnType<typeof openWorkosOffice>>
