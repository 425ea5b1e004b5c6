import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer, giveDomain } from '../../../tests/chapters/single-sign-on.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { codeFor, mailsTo, newFounder, newPerson } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('changeEmail', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('mails a code to each address, which are two codes, and changes nothing yet', async () => {
    const { browser, email } = await newPerson(office)
    const next = freshEmail()
    const { expiresAt, ...said } = await browser.call('changeEmail', { email: ` ${next.toUpperCase()} ` })
    expect(said).toEqual({ code: 200, message: 'Codes are on their way to both addresses' })
    expect(Date.parse(expiresAt)).toBeGreaterThan(office.clock.now().getTime())
    expect(await codeFor(office, email)).toMatch(/^\d{6}$/)
    expect(await codeFor(office, next)).toMatch(/^\d{6}$/)
    expect((await browser.call('getCurrentUser')).email).toBe(email)
  })

  it('makes no session by its codes', async () => {
    const { browser, email } = await newPerson(office)
    await browser.call('changeEmail', { email: freshEmail() })
    const code = await codeFor(office, email)
    expect(await office.browser().request('finalizeMagicAuth', { email, code })).toMatchObject({
      status: 400,
      body: { error: 'invalid-code' },
    })
  })

  it('answers alike where another account has the address, and tells only its person', async () => {
    const [{ browser }, other] = [await newPerson(office), await newPerson(office)]
    const free = await browser.request('changeEmail', { email: freshEmail() })
    const taken = await browser.request('changeEmail', { email: other.email })
    expect([taken.status, Object.keys(taken.body)]).toEqual([free.status, Object.keys(free.body)])
    await until(async () => (await mailsTo(office, other.email)).length > 0)
    const [mail] = await mailsTo(office, other.email)
    expect(mail).toMatchObject({ subject: expect.stringContaining('You have an account') })
    expect(mail?.code).toBeUndefined()
  })

  it('refuses the address they have, and what is none', async () => {
    const { browser, email } = await newPerson(office)
    for (const input of [email, email.toUpperCase(), 'nobody', ''])
      expect(await browser.request('changeEmail', { email: input })).toMatchObject({
        status: 400,
        body: { error: 'invalid-input', details: [{ field: 'email' }] },
      })
    expect(await mailsTo(office, email)).toEqual([])
  })

  it('refuses to leave or to take an address of a domain that demands single sign-on', async () => {
    const founder = await newFounder(office)
    const domain = `${freshEmail('d').split('@')[0]}.example`
    const inside = await newPerson(office, `ada@${domain}`)
    await giveDomain(office, founder.organizationId, domain)
    await connectToIssuer(office, founder.organizationId, 'https://issuer.example')
    const refusal = { status: 400, body: { error: 'single-sign-on-required' } }
    expect(await inside.browser.request('changeEmail', { email: freshEmail() })).toMatchObject(refusal)
    const outside = await newPerson(office)
    expect(await outside.browser.request('changeEmail', { email: `eve@${domain}` })).toMatchObject(refusal)
  })

  it('refuses a session that does not stand for the person in every organization of theirs', async () => {
    const [founder, elsewhere] = [await newFounder(office, 'One'), await newFounder(office, 'Two')]
    await office.database.pool.query(
      `update sessions set method = 'sso', sso_organization_id =
         (select id from organizations where identity_organization_id = $1) where user_id = $2`,
      [elsewhere.organizationId, founder.id],
    )
    office.office.callers.forgetAll()
    for (const id of ['changeEmail', 'deleteAccount'] as const)
      expect(await founder.browser.request(id, { email: freshEmail() } as never)).toMatchObject({
        status: 403,
        body: { error: 'sign-in-method-not-accepted' },
      })
  })
})

it('draws on the budget of codes of both addresses', async () => {
  const office = await openTestOffice({ settings: { RATE_LIMIT_CODES_PER_EMAIL: '2' } })
  const [{ browser }, next] = [await newPerson(office), freshEmail()]
  const other = await newPerson(office)
  for (let times = 0; times < 2; times++) await browser.call('changeEmail', { email: next })
  const limited = { status: 429, body: { error: 'rate-limited' } }
  expect(await browser.request('changeEmail', { email: freshEmail() })).toMatchObject(limited)
  expect(await other.browser.request('changeEmail', { email: next })).toMatchObject(limited)
  await office.close()
})
