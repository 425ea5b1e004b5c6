import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, signInAgain } from '../../../../tests/people.ts'

describe('selectOrganization', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function undecided() {
    const founder = await newFounder(office, 'First')
    const second = await founder.browser.call('createOrganization', { name: 'Second' })
    const { browser, user } = await signInAgain(office, founder.email)
    if (!('pendingAuthenticationToken' in user)) throw new Error('nothing to choose')
    return {
      founder,
      first: founder.organizationId,
      second: second.id,
      browser,
      token: user.pendingAuthenticationToken,
    }
  }

  it('signs in to the chosen organization', async () => {
    const { founder, second, browser, token } = await undecided()
    const answer = await browser.request('selectOrganization', {
      pendingAuthenticationToken: token,
      organizationId: second,
    })
    expect(answer.body).toEqual({
      user: { id: founder.id, email: founder.email, firstName: '', lastName: '', avatarURL: '' },
    })
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(second)
  })

  it('answers 404 for an organization that was not offered, and the token still works', async () => {
    const { first, browser, token } = await undecided()
    const stranger = await newFounder(office)
    for (const organizationId of [stranger.organizationId, 'org_doesnotexist00', '../users', '1']) {
      const answer = await browser.request('selectOrganization', {
        pendingAuthenticationToken: token,
        organizationId,
      })
      expect(answer).toMatchObject({ status: 404 })
    }
    const answer = await browser.request('selectOrganization', {
      pendingAuthenticationToken: token,
      organizationId: first,
    })
    expect(answer.status).toBe(200)
  })

  it('answers 404 for one that they came into after the token was made', async () => {
    const { founder, first, browser, token } = await undecided()
    const { id: third } = await founder.browser.call('createOrganization', { name: 'Third' })
    const choose = (organizationId: string) =>
      browser.request('selectOrganization', { pendingAuthenticationToken: token, organizationId })
    expect((await choose(third)).status).toBe(404)
    expect((await choose(first)).status).toBe(200)
  })

  it('spends the token by one success: of 20 at the same time one wins', async () => {
    const { first, token } = await undecided()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        office
          .browser()
          .request('selectOrganization', { pendingAuthenticationToken: token, organizationId: first }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(400)])
  })

  it('refuses unknown and expired tokens', async () => {
    const { first, token, browser } = await undecided()
    const unknown = await browser.request('selectOrganization', {
      pendingAuthenticationToken: 'pat_nothing',
      organizationId: first,
    })
    expect(unknown).toMatchObject({ status: 400, body: { code: 400 } })
    office.clock.advance(10 * 60 + 1)
    const expired = await browser.request('selectOrganization', {
      pendingAuthenticationToken: token,
      organizationId: first,
    })
    expect(expired).toMatchObject({ status: 400, body: { error: 'invalid-pending-authentication-token' } })
  })

  it('begins no session where the sign-in is ended at that moment', async () => {
    const { founder, first, browser, token } = await undecided()
    const ending = await hold(office, 'select 1 from users where id = $1 for update', [founder.id])
    const chosen = browser.request('selectOrganization', {
      pendingAuthenticationToken: token,
      organizationId: first,
    })
    await untilBlocked(office, 1)
    await ending.query('delete from pending_sign_ins where user_id = $1', [founder.id])
    await ending.commit()
    expect(await chosen).toMatchObject({
      status: 400,
      body: { error: 'invalid-pending-authentication-token' },
    })
    expect(await browser.request('getCurrentUser')).toMatchObject({ status: 401 })
  })

  it('checks the membership again when the token is used', async () => {
    const { founder, first, browser, token } = await undecided()
    await office.database.pool.query(
      `update memberships set status = 'inactive' from organizations o
       where o.id = organization_id and o.identity_organization_id = $1 and user_id = $2`,
      [first, founder.id],
    )
    const answer = await browser.request('selectOrganization', {
      pendingAuthenticationToken: token,
      organizationId: first,
    })
    expect(answer.status).toBe(404)
  })
})
