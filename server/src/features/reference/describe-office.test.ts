import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInFederated } from '../../../tests/chapters/surfer.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { invitationTokenFor, newFounder, newPerson } from '../../../tests/people.ts'

describe('describeOffice', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({
      settings: { OFFICE_NAME: 'Harbour', SIGN_UP: 'invitation', CALENDAR_ENABLED: 'false' },
    })
  })
  afterAll(() => office.close())

  it('tells a visitor what is offered, and nothing of any organization', async () => {
    await newFounder(office, 'Secret & Sons')
    expect(await office.browser().call('describeOffice')).toEqual({
      name: 'Harbour',
      environment: 'test',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      signUp: 'invitation',
      ways: ['code', 'sso', 'provider-a', 'provider-b'],
      media: 'none',
      calendars: [],
      pushKey: expect.stringMatching(/^B[\w-]{86}$/),
    })
  })

  it('tells a browser whether it has brought a session, good or not, and nothing of it', async () => {
    const { browser } = await newFounder(office)
    expect(await browser.call('describeOffice')).toMatchObject({ session: true })
    await browser.call('signOut')
    expect(await browser.call('describeOffice')).not.toHaveProperty('session')
    const stale = await fetch(`${office.baseUrl}/office`, { headers: { cookie: 'atrium_session=nonsense' } })
    expect(await stale.json()).toMatchObject({ session: true })
    expect(stale.headers.get('cache-control')).toBe('no-store')
  })

  it('means it: where sign-up is by invitation, no other person makes an account', async () => {
    const refused = await office.browser().request('signUp', { email: freshEmail() })
    expect(refused).toMatchObject({ status: 403, body: { error: 'sign-up-by-invitation' } })
    const { answer } = await signInFederated(office, 'continueWithProviderA', freshEmail())
    expect(answer).toMatchObject({ status: 403, body: { error: 'sign-up-by-invitation' } })
  })

  it('lets in who was invited, by a code or by a provider, and who has an account', async () => {
    const founder = await newFounder(office)
    const [byCode, byProvider, known] = [freshEmail(), freshEmail(), await newPerson(office)]
    await founder.browser.call('sendInvitation', { email: byCode })
    await founder.browser.call('sendInvitation', { email: byProvider })
    const token = await invitationTokenFor(office, byCode)
    const joining = await office.browser().request('memberSignUp', { email: byCode, inviteToken: token })
    expect(joining).toMatchObject({ status: 201 })
    for (const email of [byProvider, known.email]) {
      const { answer } = await signInFederated(office, 'continueWithProviderA', email)
      expect(answer).toMatchObject({ status: 200 })
    }
  })
})
