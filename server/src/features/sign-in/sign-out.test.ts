import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, signInAgain } from '../../../tests/people.ts'

describe('signOut', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { FRONTEND_URL: 'https://office.example' } })
  })
  afterAll(() => office.close())

  it('ends the session at once and answers where to go', async () => {
    const { browser } = await newPerson(office)
    expect((await browser.request('getCurrentUser')).status).toBe(200)
    const answer = await browser.request('signOut')
    expect(answer.body).toEqual({ authData: { redirectURL: 'https://office.example/' } })
    expect(answer.headers.get('set-cookie')).toMatch(/^atrium_session=; .*Expires=Thu, 01 Jan 1970/)
    expect(await browser.request('getCurrentUser')).toMatchObject({ status: 401, body: { code: 401 } })
  })

  it('leaves the sessions of other browsers alone, of the same person and of others', async () => {
    const [person, other] = [await newPerson(office), await newPerson(office)]
    const { browser: elsewhere } = await signInAgain(office, person.email)
    await person.browser.call('signOut')
    expect((await person.browser.request('getCurrentUser')).status).toBe(401)
    for (const browser of [elsewhere, other.browser])
      expect((await browser.request('getCurrentUser')).status).toBe(200)
  })

  it('is refused without a session', async () => {
    expect(await office.browser().request('signOut')).toMatchObject({ status: 401 })
  })
})
