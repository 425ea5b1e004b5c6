import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { giveDomain, newDomainOwner } from '../../../tests/chapters/single-sign-on.ts'
import { closed } from '../../../tests/closed.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  codeFor,
  invitationTokenFor,
  linkTokenOf,
  mailsTo,
  newFounder,
  newMember,
  newPerson,
  type Person,
  signedUp,
  signInAgain,
} from '../../../tests/people.ts'
import { recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'
import { openWorkosOffice } from '../../../tests/vendors/workos-office.ts'

const WRONG = { status: 400, body: { error: 'invalid-code' } }

async function codeToDelete(office: TestOffice, { browser, email }: Pick<Person, 'browser' | 'email'>) {
  const listed = async () =>
    (await mailsTo(office, email)).filter(({ subject }) => subject.includes('delete your account'))
  const before = (await listed()).length
  await browser.call('deleteAccount')
  await until(async () => (await listed()).length > before)
  return (await listed())[0]?.code as string
}

async function deleted(office: TestOffice, person: Pick<Person, 'browser' | 'email'>) {
  await person.browser.call('confirmAccountDeletion', { code: await codeToDelete(office, person) })
}

const other = (code: string) => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0')

describe('confirmAccountDeletion', () => {
  let office: TestOffice
  let beside: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    beside = await openTestOffice({ beside: office })
  })
  afterAll(async () => {
    await beside.close()
    await office.close()
  })

  it('ends every session, connection and token of theirs, on every node', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { browser: elsewhere } = await signInAgain(office, member.email)
    const { token } = await member.browser.call('mintConnectionToken')
    const socket = new WebSocket(`${office.baseUrl.replace('http', 'ws')}/connection/websocket`)
    await once(socket, 'open')
    const closing = closed(socket)
    socket.send(JSON.stringify({ id: 1, connect: { token } }))
    await once(socket, 'message')
    const chat = (await member.browser.call('mintChatToken')).token
    const readChat = async () =>
      (await fetch(`${beside.baseUrl}/rest/v1/messages`, { headers: { authorization: `Bearer ${chat}` } }))
        .status
    expect(await readChat()).toBe(200)

    await deleted(office, member)
    await closing
    for (const browser of [member.browser, elsewhere])
      expect((await browser.request('getCurrentUser')).status).toBe(401)
    await until(async () => (await readChat()) === 401)
    const { data } = await founder.browser.call('listMembers', {})
    expect(data.map(({ id }) => id)).toEqual([founder.id])
  })

  it('does not undo a removal: the same address comes back by a new invitation only', async () => {
    const [founder, elsewhere] = [await newFounder(office), await newFounder(office)]
    const member = await newMember(office, founder, 'member')
    const inviteToken = await linkTokenOf(founder)
    await founder.browser.call('removeMember', { id: member.id })
    await deleted(office, member)
    const again = await newPerson(office, member.email)
    expect(again.id).not.toBe(member.id)
    const join = () => again.browser.request('joinOrganization', { inviteToken })
    expect(await join()).toMatchObject({ status: 403, body: { error: 'removed' } })
    expect(
      await again.browser.request('joinOrganization', { inviteToken: await linkTokenOf(elsewhere) }),
    ).toMatchObject({ status: 200 })
    const another = await newPerson(office)
    expect((await another.browser.request('joinOrganization', { inviteToken })).status).toBe(200)
    // and once more
    await deleted(office, again)
    const third = await newPerson(office, member.email)
    await founder.browser.call('sendInvitation', { email: member.email })
    await third.browser.call('acceptInvitation', { token: await invitationTokenFor(office, member.email) })
    await third.browser.call('removeMember', { id: third.id })
    expect((await third.browser.request('joinOrganization', { inviteToken })).status).toBe(200)
  })

  it('tells their other devices that each session has ended, as long as they are members', async () => {
    const outbox = await recordOutbox(office.database)
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    await signInAgain(office, member.email)
    const { sessions } = await member.browser.call('listSessions')
    const { presenceUserId } = await member.browser.call('getCurrentUser')
    await deleted(office, member)
    const told = await outbox.events(`user:${founder.organizationId}:${presenceUserId}`)
    const ended = told.filter(({ type }) => type === 'session.ended').map(({ data }) => data)
    expect(ended).toEqual(
      expect.arrayContaining(sessions.map(({ id }) => expect.objectContaining({ sessionId: id }))),
    )
    expect(sessions.length).toBeGreaterThan(1)
  })

  it('lets the address make another account, which has nothing of the one before', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    await deleted(office, member)
    const again = await signedUp(office, member.email)
    expect(again.id).not.toBe(member.id)
    expect((await again.browser.call('getCurrentUser')).organizationMemberships).toEqual([])
  })

  it('wants the code of the deletion: neither another one, nor one of something else, nor a second time', async () => {
    const person = await newPerson(office)
    const code = await codeToDelete(office, person)
    expect(await person.browser.request('confirmAccountDeletion', { code: other(code) })).toMatchObject(WRONG)
    await person.browser.call('changeEmail', { email: freshEmail() })
    await until(async () => (await codeFor(office, person.email)) !== code)
    const ofChange = await codeFor(office, person.email)
    expect(await person.browser.request('confirmAccountDeletion', { code: ofChange })).toMatchObject(WRONG)
    const both = await Promise.all(
      [1, 2].map(() => person.browser.request('confirmAccountDeletion', { code })),
    )
    expect(both.map(({ status }) => status).sort()).not.toEqual([204, 204])
    expect(both.map(({ status }) => status)).toContain(204)
  })

  it('leaves an organization with an admin: of two who go at once one is refused, and may go later', async () => {
    const founder = await newFounder(office)
    const admin = await newMember(office, founder, 'admin')
    await newMember(office, founder, 'guest')
    const codes = [await codeToDelete(office, founder), await codeToDelete(office, admin)]
    const answers = await Promise.all(
      [founder, admin].map(({ browser }, n) =>
        browser.request('confirmAccountDeletion', { code: codes[n] as string }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    const kept = answers[0]?.status === 409 ? 0 : 1
    const left = [founder, admin][kept] as Person
    const { data } = await left.browser.call('listMembers', {})
    const guest = data.find(({ role }) => role === 'guest')
    await left.browser.call('updateMember', { id: guest?.id as string, role: 'admin' })
    await left.browser.call('confirmAccountDeletion', { code: codes[kept] as string })
  })

  it('deletes an organization with the one who is alone in it', async () => {
    const founder = await newDomainOwner(office)
    const member = await newMember(office, founder, 'member')
    await founder.browser.call('removeMember', { id: member.id })
    await deleted(office, founder)
    const { rows } = await office.database.pool.query(
      `select deleted_at is not null as gone, array(select action from audit_entries a where a.organization_id = o.id
        order by sequence desc limit 2) as last from organizations o where identity_organization_id = $1`,
      [founder.organizationId],
    )
    expect(rows).toEqual([{ gone: true, last: ['organization.deleted', 'member.account-deleted'] }])
    // the next holder of the domain may prove it
    const next = await newFounder(office)
    await giveDomain(office, next.organizationId, founder.domain)
  })

  it('voids invitations that they have sent, and names them in no list', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'admin')
    const invited = freshEmail()
    await member.browser.call('sendInvitation', { email: invited, role: 'member' })
    const invitationToken = await invitationTokenFor(office, invited)
    await deleted(office, member)
    const newcomer = await newPerson(office, invited)
    const answer = await newcomer.browser.request('acceptInvitation', { token: invitationToken })
    expect(answer.status).toBe(410)
    const trail = await founder.browser.call('listAuditLog')
    const deletion = { action: 'member.account-deleted', target: { kind: 'user', id: member.id } }
    expect(trail.data).toContainEqual(expect.objectContaining(deletion))
  })

  const trailOf = ({ organizationId }: { organizationId: string }) =>
    hold(
      office,
      `select 1 from audit_heads h join organizations o on o.id = h.organization_id
        where o.identity_organization_id = $1 for update of h`,
      [organizationId],
    )

  it('lets them into no organization meanwhile', async () => {
    const [first, second] = [await newFounder(office), await newFounder(office)]
    const person = await newMember(office, first, 'member')
    const inviteToken = await linkTokenOf(second)
    const code = await codeToDelete(office, person)
    const trail = await trailOf(first)
    const gone = person.browser.request('confirmAccountDeletion', { code })
    await untilBlocked(office, 1)
    const joined = person.browser.request('joinOrganization', { inviteToken })
    await untilBlocked(office, 2)
    await trail.letGo()
    expect(await gone).toMatchObject({ status: 204 })
    expect((await joined).status).toBe(403)
    expect((await second.browser.call('listMembers')).data.map(({ id }) => id)).toEqual([second.id])
  })

  it('takes them out of an organization that they are joining', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    const inviteToken = await linkTokenOf(founder)
    const code = await codeToDelete(office, person)
    const trail = await trailOf(founder)
    const joined = person.browser.request('joinOrganization', { inviteToken })
    await untilBlocked(office, 1)
    const gone = person.browser.request('confirmAccountDeletion', { code })
    await untilBlocked(office, 2)
    await trail.letGo()
    expect(await joined).toMatchObject({ status: 200 })
    expect(await gone).toMatchObject({ status: 204 })
    expect((await founder.browser.call('listMembers')).data.map(({ id }) => id)).toEqual([founder.id])
  })

  it('works no session that was under way when the account was deleted', async () => {
    const person = await newPerson(office)
    await deleted(office, person)
    await office.database.pool.query('update sessions set revoked_at = null where user_id = $1', [person.id])
    office.office.callers.forgetAll()
    expect((await person.browser.request('getCurrentUser')).status).toBe(401)
  })
})

it('counts wrong codes for the person, whichever browser they come from', async () => {
  const office = await openTestOffice({ settings: { RATE_LIMIT_GUESSES_PER_EMAIL_HOUR: '3' } })
  const person = await signedUp(office)
  const code = await codeToDelete(office, person)
  for (let times = 0; times < 3; times++)
    await person.browser.request('confirmAccountDeletion', { code: other(code) })
  expect(await person.browser.request('confirmAccountDeletion', { code })).toMatchObject({
    status: 429,
    body: { error: 'rate-limited' },
  })
  await office.close()
})

it('takes the person away at WorkOS too, once it answers, and nothing brings them back', async () => {
  const { stub, office, founded, follow, compare, tell } = await openWorkosOffice()
  const { member, founder } = await founded()
  const code = await codeToDelete(office, member)
  stub.fault = { status: 500 }
  await member.browser.call('confirmAccountDeletion', { code })
  stub.fault = undefined
  await until(async () => {
    const { rows } = await office.database.pool.query(
      `select 1 from work_items where queue = 'erasures' and key = $1`,
      [member.id],
    )
    return rows.length === 0
  })
  await tell()
  await follow()
  await compare()
  const { data } = await founder.browser.call('listMembers', {})
  expect(data.map(({ id }) => id)).toEqual([founder.id])
  const again = office.browser()
  await again.call('signUp', { email: member.email })
  await office.office.identityWork.settle()
  const { user } = await again.call('finalizeMagicAuth', {
    email: member.email,
    code: stub.codeFor(member.email),
  })
  expect(user.id).not.toBe(member.id)
  expect(stub.misfits).toEqual([])
  await office.close()
  await stub.close()
})
