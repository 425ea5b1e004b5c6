import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { operations } from '@atrium/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  auditOf,
  invitationTokenFor,
  mailsTo,
  newFounder,
  newMember,
  newPerson,
  signInAgain,
} from '../../../tests/people.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'

describe('sendInvitation', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { FRONTEND_URL: 'https://front.example' } })
  })
  afterAll(() => office.close())

  it('mails one address a link, as a member where no role is given, and writes it down', async () => {
    const founder = await newFounder(office, 'Analytical Engines')
    const email = freshEmail()
    expect(await founder.browser.call('sendInvitation', { email: ` ${email.toUpperCase()} ` })).toEqual({
      code: 200,
      message: expect.any(String),
    })
    const { data } = await founder.browser.call('listInvitation', { email })
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^invitation_[0-9A-Z]{26}$/),
        email,
        role: 'member',
        state: 'pending',
        acceptedAt: null,
        revokedAt: null,
        token: expect.stringMatching(/^inv_[\w-]{43}$/),
        acceptInvitationUrl: `https://front.example/invitation?invitation_token=${data[0]?.token}`,
        organizationId: founder.organizationId,
        inviterUserId: founder.id,
        expiresAt: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    const [invitation] = data
    const lifetime = Date.parse(invitation?.expiresAt ?? '') - Date.parse(invitation?.createdAt ?? '')
    expect(lifetime).toBe(7 * 24 * 60 * 60 * 1_000)

    const [mail] = await mailsTo(office, email)
    expect(mail?.link).toBe(invitation?.acceptInvitationUrl)
    expect(mail?.subject).toContain('Analytical Engines')
    expect(mail?.text).toContain(founder.email.split('@')[0])
    const entry = (await auditOf(founder)).at(-1)
    expect(entry).toMatchObject({
      action: 'invitation.sent',
      actor: { id: founder.id, email: founder.email, address: '127.0.0.1' },
      target: { kind: 'invitation', id: invitation?.id },
      detail: { email, role: 'member' },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('mails in the language that the organization has decided on', async () => {
    const founder = await newFounder(office, 'Analytical Engines')
    await founder.browser.call('updateOrganizationSettings', { language: 'de' })
    const email = freshEmail()
    await founder.browser.call('sendInvitation', { email })
    expect((await mailsTo(office, email))[0]?.subject).toMatch(/lädt dich zu Analytical Engines ein$/)
  })

  it('supersedes: the earlier invitation is revoked, only the newest leads in', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email })
    const first = await invitationTokenFor(office, person.email)
    await founder.browser.call('sendInvitation', { email: person.email, role: 'moderator' })
    const { data } = await founder.browser.call('listInvitation', { email: person.email })
    expect(data.map(({ state, role }) => [state, role])).toEqual([
      ['pending', 'moderator'],
      ['revoked', 'member'],
    ])
    expect(await person.browser.request('acceptInvitation', { token: first })).toMatchObject({ status: 410 })
    const token = await invitationTokenFor(office, person.email)
    expect(await person.browser.call('acceptInvitation', { token })).toMatchObject({ role: 'moderator' })
  })

  it('supersedes no invitation to a role above one’s own: 403, and of many it is one that fails', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const person = await newPerson(office)
    const other = freshEmail()
    await founder.browser.call('sendInvitation', { email: person.email, role: 'admin' })
    const token = await invitationTokenFor(office, person.email)
    const mails = await mailsTo(office, person.email)
    expect(await member.browser.request('sendInvitation', { email: person.email })).toMatchObject({
      status: 403,
      body: { error: 'role-above-own' },
    })
    expect(await member.browser.request('sendInvitation', { emails: [person.email, other] })).toMatchObject({
      status: 200,
    })
    const failed = {
      action: 'invitation.failed',
      actor: { id: member.id },
      target: { kind: 'email', id: person.email },
      detail: { reason: 'role-above-own' },
    }
    const trail = await auditOf(founder)
    expect(trail.slice(-3)).toMatchObject([
      failed,
      { action: 'invitation.sent', detail: { email: other } },
      failed,
    ])
    expect(await mailsTo(office, person.email)).toEqual(mails)
    expect(await person.browser.call('acceptInvitation', { token })).toMatchObject({ role: 'admin' })
  })

  it('writes down which invitation it supersedes, and by which', async () => {
    const founder = await newFounder(office)
    const email = freshEmail()
    await founder.browser.call('sendInvitation', { email, role: 'moderator' })
    await founder.browser.call('sendInvitation', { email })
    const { data } = await founder.browser.call('listInvitation', { email })
    const [newest, earlier] = data.map(({ id }) => id)
    expect((await auditOf(founder)).slice(-2)).toMatchObject([
      {
        action: 'invitation.superseded',
        target: { kind: 'invitation', id: earlier },
        detail: { email, role: 'moderator', by: newest },
      },
      { action: 'invitation.sent', target: { id: newest } },
    ])
  })

  it('leaves nothing behind of an inviter who is removed meanwhile', async () => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    const email = freshEmail()
    const sending = await hold(office, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `invitations ${email}`,
    ])
    const sent = moderator.browser.request('sendInvitation', { email })
    await untilBlocked(office, 1)
    const removed = founder.browser.request('removeMember', { id: moderator.id })
    // what is sent comes first, or is not sent at all
    await Promise.race([untilBlocked(office, 2), removed])
    await sending.letGo()
    expect(await removed).toMatchObject({ status: 204 })
    await sent
    const { data } = await founder.browser.call('listInvitation', { email })
    expect(data.map(({ state }) => state)).toEqual(['revoked'])
  })

  it('locks what it supersedes in the order in which it was made, as a revocation does', async () => {
    const founder = await newFounder(office)
    const [first, second] = [freshEmail('z'), freshEmail('a')]
    for (const email of [first, second]) await founder.browser.call('sendInvitation', { email })
    const held = await hold(office, 'select 1 from invitations where email = $1 for update', [second])
    const sent = founder.browser.request('sendInvitation', { emails: [first, second] })
    await untilBlocked(office, 1)
    const free = 'select 1 from invitations where email = $1 for update skip locked'
    expect((await office.database.pool.query(free, [first])).rows).toEqual([])
    await held.letGo()
    expect((await sent).status).toBe(200)
  })

  it('an expired invitation stays expired when it is sent again', async () => {
    const founder = await newFounder(office)
    const email = freshEmail()
    await founder.browser.call('sendInvitation', { email })
    office.clock.advance(7 * 24 * 60 * 60)
    const { browser: again } = await signInAgain(office, founder.email)
    await again.call('sendInvitation', { email })
    const { data } = await again.call('listInvitation', { email })
    expect(data.map(({ state }) => state)).toEqual(['pending', 'expired'])
  })

  it('of ten sent to one address at once one is pending', async () => {
    const founder = await newFounder(office)
    const email = freshEmail()
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => founder.browser.request('sendInvitation', { email })),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const { data } = await founder.browser.call('listInvitation', { email, limit: 100 })
    expect(data.filter(({ state }) => state === 'pending')).toHaveLength(1)
    expect(data).toHaveLength(10)
  })

  it.each([
    ['member', 'moderator'],
    ['member', 'admin'],
    ['moderator', 'admin'],
  ] as const)('a %s cannot grant %s', async (own, role) => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, own)
    const email = freshEmail()
    expect(await member.browser.request('sendInvitation', { email, role })).toMatchObject({
      status: 403,
      body: { error: 'role-above-own' },
    })
    expect(await member.browser.request('sendInvitation', { emails: [email], role })).toMatchObject({
      status: 403,
    })
    expect(await mailsTo(office, email)).toEqual([])
    expect(await member.browser.request('sendInvitation', { email, role: own })).toMatchObject({
      status: 200,
    })
  })

  it('is refused to guests, whatever the body', async () => {
    const founder = await newFounder(office)
    const guest = await newMember(office, founder, 'guest')
    expect(await guest.browser.request('sendInvitation', { email: 'no address' })).toMatchObject({
      status: 403,
      body: { error: 'role-not-allowed' },
    })
  })

  it('tells of a single address that belongs to a member: 409, and mails nothing', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const before = await mailsTo(office, member.email)
    expect(await founder.browser.request('sendInvitation', { email: member.email })).toMatchObject({
      status: 409,
      body: { error: 'already-member' },
    })
    expect(await mailsTo(office, member.email)).toEqual(before)
  })

  it('invites many at once; what fails is silent, but written down', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const emails = [freshEmail(), member.email, freshEmail()]
    const doubled = [...emails, emails[0]?.toUpperCase() as string]
    expect(await founder.browser.call('sendInvitation', { emails: doubled })).toEqual({
      code: 200,
      message: expect.any(String),
    })
    const { data } = await founder.browser.call('listInvitation', { limit: 100 })
    const pending = data.filter(({ state }) => state === 'pending').map(({ email }) => email)
    expect(pending.sort()).toEqual([emails[0], emails[2]].sort())
    const failures = (await auditOf(founder)).filter(({ action }) => action === 'invitation.failed')
    expect(failures).toMatchObject([
      { target: { kind: 'email', id: member.email }, detail: { reason: 'already-member' } },
    ])
  })

  it('logs how many of many were not sent, and none of their addresses', async () => {
    const recorded = recordedLog()
    const logging = await openTestOffice({ beside: office, log: recorded.log })
    try {
      const founder = await newFounder(logging)
      const [fresh, known] = [freshEmail(), founder.email]
      await founder.browser.call('sendInvitation', { emails: [fresh, known] })
      const lines = recorded.lines.filter(({ msg }) => msg === 'some of many invitations were not sent')
      expect(lines).toMatchObject([{ sent: 1, failed: 1, requestId: expect.any(String) }])
      expect(recorded.text()).not.toContain(known)
      expect(recorded.text()).not.toContain(fresh)
    } finally {
      await logging.close()
    }
  })

  it('mails a link to FRONTEND_URL, whatever host the request names', async () => {
    const founder = await newFounder(office)
    const email = freshEmail()
    const sent = httpRequest(`${office.baseUrl}/api/v1/organizations/send-invitation`, {
      method: 'POST',
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'content-type': 'application/json',
        cookie: `atrium_session=${founder.cookie}`,
      },
    }).end(JSON.stringify({ email }))
    const [answer] = await once(sent, 'response')
    answer.resume()
    expect(answer.statusCode).toBe(200)
    const [mail] = await mailsTo(office, email)
    expect(mail?.link).toMatch(/^https:\/\/front\.example\/invitation\?/)
    expect(JSON.stringify(mail)).not.toContain('evil.example')
  })

  it('takes a hundred, and refuses a hundred and one with nothing sent', async () => {
    const founder = await newFounder(office)
    const many = Array.from({ length: 101 }, () => freshEmail())
    expect(await founder.browser.request('sendInvitation', { emails: many })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'emails' }] },
    })
    expect((await founder.browser.call('listInvitation')).data).toEqual([])
    expect(await founder.browser.request('sendInvitation', { emails: many.slice(1) })).toMatchObject({
      status: 200,
    })
    const pages = [await founder.browser.call('listInvitation', { limit: 100 })]
    expect(pages[0]?.data).toHaveLength(100)
    expect(pages[0]?.after).toBeNull()
  })

  it('sends all of many or none: a database that is too slow is told of, and loses none in silence', async () => {
    const node = await openTestOffice({ beside: office, settings: { DATABASE_WAIT_MS: '1000' } })
    const founder = await newFounder(office)
    const emails = Array.from({ length: 20 }, () => freshEmail())
    const busy = await office.database.db.startTransaction().execute()
    await sql`lock table audit_heads`.execute(busy)
    const answer = await fetch(node.baseUrl + operations.sendInvitation.path, {
      method: 'POST',
      headers: { cookie: `atrium_session=${founder.cookie}`, 'content-type': 'application/json' },
      body: JSON.stringify({ emails }),
    })
    expect(answer.status).toBe(503)
    await busy.rollback().execute()
    await node.close()
    expect((await founder.browser.call('listInvitation')).data).toEqual([])
    expect(await founder.browser.request('sendInvitation', { emails })).toMatchObject({ status: 200 })
    const { data } = await founder.browser.call('listInvitation', { limit: 100 })
    expect(data.map(({ email }) => email).sort()).toEqual([...emails].sort())
    const sent = (await auditOf(founder)).filter(({ action }) => action === 'invitation.sent')
    expect(sent.map(({ detail }) => detail.email)).toEqual(emails)
  })

  it.each([
    ['no address', { email: 'ada' }],
    ['a header', { email: 'ada@people.example\r\nBcc: all@people.example' }],
    ['two addresses', { email: 'ada@people.example,bob@people.example' }],
    ['a control character', { email: 'a\u0000da@people.example' }],
    ['a turned direction', { email: 'a\u202eda@people.example' }],
    ['a name', { email: 'Ada <ada@people.example>' }],
    ['an overlong one', { email: `${'a'.repeat(310)}@people.example` }],
    ['one of many', { emails: ['ada@people.example', 'ada'] }],
    ['none of many', { emails: [] }],
    ['both forms', { email: 'ada@people.example', emails: ['bob@people.example'] }],
    ['neither form', {}],
    ['an unknown role', { email: 'ada@people.example', role: 'owner' }],
  ])('refuses %s, with nothing sent', async (_case, input) => {
    const founder = await newFounder(office)
    const answer = await founder.browser.request('sendInvitation', input as { email: string })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    expect((await founder.browser.call('listInvitation')).data).toEqual([])
    expect(await mailsTo(office, 'ada@people.example')).toEqual([])
  })

  it.each([
    ['ünï@people.example', 'ünï@people.example'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('takes %s', async (email, stored) => {
    const founder = await newFounder(office)
    await founder.browser.call('sendInvitation', { email })
    expect((await founder.browser.call('listInvitation', { email })).data).toMatchObject([{ email: stored }])
  })

  it('names an organization of any name safely in the mail', async () => {
    const founder = await newFounder(office, '<b>Free money</b> https://evil.example')
    const email = freshEmail()
    await founder.browser.call('sendInvitation', { email })
    const [mail] = await mailsTo(office, email)
    expect(mail?.html).not.toContain('<b>')
    expect(mail?.text).not.toContain('evil.example')
    expect(mail?.link).toMatch(/^https:\/\/front\.example\//)
  })
})
