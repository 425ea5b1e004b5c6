import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer, giveDomain } from '../../../tests/chapters/single-sign-on.ts'
import { expectNewLink, signInFederated } from '../../../tests/chapters/surfer.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { listenAs } from '../../../tests/listener.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  codeFor,
  freshCodeFor,
  invitationTokenFor,
  mailsTo,
  newFounder,
  newMember,
  newPerson,
  type Person,
  recoveryTokenOf,
  signedUp,
  signInAgain,
} from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { openWorkosOffice } from '../../../tests/vendors/workos-office.ts'

const WRONG = { status: 400, body: { error: 'invalid-code' } }

async function beginChange(
  office: TestOffice,
  { browser, email }: Pick<Person, 'browser' | 'email'>,
  next = freshEmail(),
) {
  const codes = {
    to: { email, subject: 'change your address' },
    next: { email: next, subject: 'your new address' },
  }
  const [code, newCode] = [await newestOf(office, codes.to), await newestOf(office, codes.next)]
  await browser.call('changeEmail', { email: next })
  return { next, code: await code(), newCode: await newCode() }
}

/** What answers the code of the next mail of a subject, however many mails an address has had. */
async function newestOf(office: TestOffice, { email, subject }: { email: string; subject: string }) {
  const listed = async () => (await mailsTo(office, email)).filter((mail) => mail.subject.includes(subject))
  const before = (await listed()).length
  return async () => {
    await until(async () => (await listed()).length > before)
    return (await listed())[0]?.code ?? ''
  }
}

const other = (code: string) => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0')

describe('confirmEmailChange', () => {
  let office: TestOffice
  let beside: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    // the node that is connected to is the broker
    await until(async () => office.office.jobs.isLeader())
    beside = await openTestOffice({ beside: office })
  })
  afterAll(async () => {
    await beside.close()
    await office.close()
  })

  it('takes codes for ten minutes', async () => {
    const person = await newPerson(office)
    const late = await beginChange(office, person)
    office.clock.advance(10 * 60 + 5)
    try {
      const { code, newCode } = late
      expect(await person.browser.request('confirmEmailChange', { code, newCode })).toMatchObject(WRONG)
      const { next, ...codes } = await beginChange(office, person)
      office.clock.advance(9 * 60)
      expect(await person.browser.call('confirmEmailChange', codes)).toMatchObject({ email: next })
    } finally {
      office.clock.advance(-(19 * 60 + 5))
    }
  })

  it('gives the account the other address, and nothing else of it changes', async () => {
    const person = await newFounder(office)
    const before = await person.browser.call('getCurrentUser')
    const { next, code, newCode } = await beginChange(office, person)
    const after = await person.browser.call('confirmEmailChange', { code: ` ${code} `, newCode })
    expect(after).toEqual({ ...before, email: next, updatedAt: expect.any(String) })
    expect(await person.browser.call('getCurrentUser')).toEqual(after)
    const { user } = await signInAgain(office, next)
    expect(user).toMatchObject({ id: person.id, email: next })
  })

  it('tells the address of before by mail, which signs in to nothing any more and may be used again', async () => {
    const person = await newPerson(office)
    const { next, code, newCode } = await beginChange(office, person)
    await person.browser.call('confirmEmailChange', { code, newCode })
    await until(async () =>
      (await mailsTo(office, person.email)).some(({ subject }) => subject.includes('was changed')),
    )
    const [mail] = await mailsTo(office, person.email)
    expect(mail?.text).not.toContain(next)
    const newcomer = await signedUp(office, person.email)
    expect(newcomer.id).not.toBe(person.id)
  })

  it('wants both codes, each at its place', async () => {
    const person = await newPerson(office)
    const { code, newCode } = await beginChange(office, person)
    for (const codes of [
      { code: other(code), newCode },
      { code, newCode: other(newCode) },
      { code: newCode, newCode: code },
    ])
      expect(await person.browser.request('confirmEmailChange', codes)).toMatchObject(WRONG)
    expect((await person.browser.call('getCurrentUser')).email).toBe(person.email)
    await person.browser.call('confirmEmailChange', { code, newCode })
    expect(await person.browser.request('confirmEmailChange', { code, newCode })).toMatchObject(WRONG)
  })

  it('takes five tries, in which the right codes are right', async () => {
    const person = await newPerson(office)
    const { code, newCode } = await beginChange(office, person)
    for (let times = 0; times < 5; times++)
      await person.browser.request('confirmEmailChange', { code: other(code), newCode })
    expect(await person.browser.request('confirmEmailChange', { code, newCode })).toMatchObject(WRONG)
  })

  it('takes only the newest codes, of the person who asked', async () => {
    const [person, somebody] = [await newPerson(office), await newPerson(office)]
    const first = await beginChange(office, person)
    expect(await somebody.browser.request('confirmEmailChange', first)).toMatchObject(WRONG)
    const second = await beginChange(office, person)
    expect(await person.browser.request('confirmEmailChange', first)).toMatchObject(WRONG)
    expect((await person.browser.call('confirmEmailChange', second)).email).toBe(second.next)
  })

  it('answers as to a wrong code where another account has taken the address meanwhile', async () => {
    const person = await newPerson(office)
    const { next, code, newCode } = await beginChange(office, person)
    await newPerson(office, next)
    expect(await person.browser.request('confirmEmailChange', { code, newCode })).toMatchObject(WRONG)
    expect((await person.browser.call('getCurrentUser')).email).toBe(person.email)
  })

  it('lets one of two people have an address that both have proven, and one of two calls at once', async () => {
    const [one, two] = [await newPerson(office), await newPerson(office)]
    const first = await beginChange(office, one)
    const second = await beginChange(office, two, first.next)
    const answers = await Promise.all([
      one.browser.request('confirmEmailChange', first),
      one.browser.request('confirmEmailChange', first),
      two.browser.request('confirmEmailChange', second),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  it('refuses where the domain has come to demand single sign-on', async () => {
    const founder = await newFounder(office)
    const domain = `${freshEmail('d').split('@')[0]}.example`
    const person = await newPerson(office)
    const { code, newCode } = await beginChange(office, person, `ada@${domain}`)
    await giveDomain(office, founder.organizationId, domain)
    await connectToIssuer(office, founder.organizationId, 'https://issuer.example')
    expect(await person.browser.request('confirmEmailChange', { code, newCode })).toMatchObject({
      status: 400,
      body: { error: 'single-sign-on-required' },
    })
  })

  it('ends every other session, and this one goes on, on every node', async () => {
    const person = await newFounder(office)
    const { browser: elsewhere } = await signInAgain(office, person.email)
    const cookie = { cookie: `atrium_session=${person.cookie}` }
    const onOtherNode = () =>
      fetch(`${beside.baseUrl}/user/get`, {
        method: 'POST',
        headers: { ...cookie, 'content-type': 'application/json' },
        body: '{}',
      })
    expect((await onOtherNode()).status).toBe(200)
    const { next, code, newCode } = await beginChange(office, person)
    await person.browser.call('confirmEmailChange', { code, newCode })
    expect((await elsewhere.request('getCurrentUser')).status).toBe(401)
    // what a node knows of its callers has the new address: the old one is another person's to switch
    await until(async () => {
      const answer = await fetch(`${beside.baseUrl}/auth/switch-organization`, {
        method: 'POST',
        headers: { ...cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ email: next, organizationId: person.organizationId }),
      })
      return answer.status === 200
    })
  })

  it('ends a session that the address of before is beginning at that moment', async () => {
    const person = await newFounder(office)
    const codes = await beginChange(office, person)
    const browser = office.browser()
    const code = await freshCodeFor(office, person.email, () =>
      browser.call('signIn', { email: person.email }),
    )
    const deciding = await hold(
      office,
      `select pg_advisory_xact_lock(hashtextextended('organization_retention', id)) from organizations
        where identity_organization_id = $1`,
      [person.organizationId],
    )
    const begun = browser.request('finalizeMagicAuth', { email: person.email, code })
    await untilBlocked(office, 1)
    const changed = person.browser.request('confirmEmailChange', { code: codes.code, newCode: codes.newCode })
    await Promise.race([untilBlocked(office, 2), changed])
    await deciding.letGo()
    expect(await changed).toMatchObject({ status: 200 })
    await begun
    expect(await browser.request('getCurrentUser')).toMatchObject({ status: 401 })
  })

  it('lets no session begin by the address of before, nor wait for a choice', async () => {
    const [one, several] = [await newFounder(office), await newFounder(office)]
    await several.browser.call('createOrganization', { name: 'Second' })
    for (const { email, id } of [one, several]) {
      const browser = office.browser()
      const code = await freshCodeFor(office, email, () => browser.call('signIn', { email }))
      const change = await hold(office, 'update users set email = $2 where id = $1', [id, freshEmail()])
      const begun = browser.request('finalizeMagicAuth', { email, code })
      await untilBlocked(office, 1)
      await change.commit()
      expect(await begun).toMatchObject(WRONG)
      const { rows } = await office.database.pool.query(
        'select 1 from pending_sign_ins where user_id = $1 and spent_at is null',
        [id],
      )
      expect(rows).toEqual([])
    }
  })

  it('ends sign-ins that wait, and links to accounts elsewhere', async () => {
    const own = await openTestOffice({ atBaseUrl: true })
    const { surfer } = await signInFederated(own, 'continueWithProviderA', freshEmail())
    const { email, id } = await surfer.client.call('getCurrentUser')
    const { next, code, newCode } = await beginChange(own, { browser: surfer.client, email })
    const waiting = own.browser()
    await waiting.call('signIn', { email })
    await until(async () =>
      (await mailsTo(own, email)).some(({ subject }) => subject.includes('sign-in code')),
    )
    const signInCode = await codeFor(own, email)
    await surfer.client.call('confirmEmailChange', { code, newCode })
    expect(await waiting.request('finalizeMagicAuth', { email, code: signInCode })).toMatchObject(WRONG)
    await expectNewLink(own, { former: email, next, user: id })
    await own.close()
  })

  it('ends the link by which an operator would let them in', async () => {
    const founder = await newFounder(office)
    const token = await recoveryTokenOf(office, founder)
    const codes = await beginChange(office, founder)
    await founder.browser.call('confirmEmailChange', { code: codes.code, newCode: codes.newCode })
    expect(await office.browser().request('recoverAccess', { token })).toMatchObject(WRONG)
  })

  it('leaves the link under which the identity provider itself knows them', async () => {
    const person = await newPerson(office)
    const { pool } = office.database
    await pool.query(
      `insert into linked_identities (issuer, subject, user_id, created_at)
      select issuer, case issuer when 'https://own.example' then identity_user_id else 'ada at home' end, id, now()
      from users, unnest(array['https://own.example', 'https://other.example']) as issuer where id = $1`,
      [person.id],
    )
    const { code, newCode } = await beginChange(office, person)
    await person.browser.call('confirmEmailChange', { code, newCode })
    const { rows } = await pool.query('select issuer from linked_identities where user_id = $1', [person.id])
    expect(rows).toEqual([{ issuer: 'https://own.example' }])
  })

  it('is told to those who list members, and in the trail of every organization, without an address', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const listener = await listenAs(founder)
    const { next, code, newCode } = await beginChange(office, member)
    await member.browser.call('confirmEmailChange', { code, newCode })
    await until(async () =>
      listener.heard('profile.updated').some((data) => (data as { userId: string }).userId === member.id),
    )
    const { data } = await founder.browser.call('listMembers', { query: next })
    expect(data).toMatchObject([{ id: member.id, email: next }])
    const trail = await founder.browser.call('listAuditLog')
    const [entry] = trail.data.filter(({ action }) => action === 'member.email-changed')
    expect(entry).toMatchObject({ target: { kind: 'user', id: member.id }, detail: {} })
    listener.close()
  })

  it('makes invitations to the new address theirs', async () => {
    const founder = await newFounder(office)
    const [person, next] = [await newPerson(office), freshEmail()]
    await founder.browser.call('sendInvitation', { email: next, role: 'member' })
    const invitationToken = await invitationTokenFor(office, next)
    const codes = await beginChange(office, person, next)
    await person.browser.call('confirmEmailChange', codes)
    await person.browser.call('acceptInvitation', { token: invitationToken })
    expect((await person.browser.call('getCurrentUser')).organizationMemberships).toHaveLength(1)
  })
})

it('is told to WorkOS, once it answers', async () => {
  const workos = await openWorkosOffice()
  const { stub, office } = workos
  const person = await workos.signedUp()
  const { next, code, newCode } = await beginChange(office, person)
  stub.fault = { status: 500 }
  await person.browser.call('confirmEmailChange', { code, newCode })
  stub.fault = undefined
  await until(async () => {
    const again = office.browser()
    await again.call('signIn', { email: next })
    await office.office.identityWork.settle()
    const answer = await again.request('finalizeMagicAuth', { email: next, code: stub.codeFor(next) })
    return answer.status === 200 && answer.body.user.id === person.id
  })
  expect(stub.misfits).toEqual([])
  await office.close()
  await stub.close()
})
