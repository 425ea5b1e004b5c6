import { describe, expect, it } from 'vitest'
import { connectCalendar, finishCalendar } from './calendar-connection.ts'
import { finishSignIn, type Page, signInWithCode, startSignIn } from './sign-in.ts'
import { fakeOffice } from './tests/fake-office.ts'

const redirect = { redirectURL: 'https://provider.example/authorize', state: 's-1' }
const user = { id: '1', email: 'ada@people.example', firstName: '', lastName: '', avatarURL: '' }

function fakePage(address = 'https://front.example/') {
  const kept = new Map<string, string>()
  const left: string[] = []
  const shown: string[] = []
  const page: Page = {
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
    leaveFor: (to) => left.push(to),
    address,
    showAddress: (to) => shown.push(to),
  }
  return { page, kept, left, shown, at: (next: string): Page => ({ ...page, address: next }) }
}

describe('a sign-in that leaves the page', () => {
  const { client, asked } = fakeOffice({
    '/auth/continue-with-provider-b': () => ({ body: { authData: redirect } }),
    '/auth/sign-in': ({ body }) => ({
      body: {
        authData:
          body.email === 'ada@sso.example'
            ? { authMethod: 'sso', ...redirect }
            : { authMethod: 'magic_auth' },
      },
    }),
    '/auth/finalize-oauth': () => ({ body: { user } }),
  })
  const back = 'https://front.example/auth/complete?code=c-1&state=s-1'

  it('keeps the state, leaves, and is finished on return with a clean address', async () => {
    const tab = fakePage()
    expect(await startSignIn(client, { provider: 'b' }, tab.page)).toEqual({ next: 'leaving' })
    expect(tab.left).toEqual([redirect.redirectURL])
    expect(await finishSignIn(client, tab.at(back))).toEqual({ state: 'signed-in', user })
    expect(asked.at(-1)?.body).toEqual({ code: 'c-1' })
    expect(tab.shown).toEqual(['/auth/complete'])
    expect(tab.kept.size).toBe(0)
  })

  it('is the way of an address of an organization with single sign-on; others are mailed a code', async () => {
    const tab = fakePage()
    expect(await startSignIn(client, { email: 'ada@sso.example' }, tab.page)).toEqual({ next: 'leaving' })
    expect(await startSignIn(client, { email: 'ada@people.example' }, tab.page)).toEqual({ next: 'code' })
    expect(tab.left).toHaveLength(1)
  })

  it('is refused with another state, without one, a second time, and where the provider refuses', async () => {
    const tab = fakePage()
    const refused = { state: 'refused', error: 'another-sign-in' }
    const before = asked.length
    expect(await finishSignIn(client, tab.at(back))).toEqual(refused)
    tab.kept.set('atrium-state', 's-2')
    expect(await finishSignIn(client, tab.at(back))).toEqual(refused)
    expect(
      await finishSignIn(client, tab.at('https://front.example/auth/complete?error=access_denied')),
    ).toEqual({
      state: 'refused',
      error: 'access_denied',
    })
    expect(await finishSignIn(client, tab.page)).toEqual({ state: 'nothing' })
    expect(asked).toHaveLength(before)
  })
})

describe('a sign-in by code', () => {
  it('is done, or goes on with the choice of an organization', async () => {
    const organizations = [{ id: 'org_1', name: 'One' }]
    const { client, asked } = fakeOffice({
      '/auth/finalize-magic-auth': ({ body }) => ({
        body: {
          user: body.code === '1' ? user : { ...user, pendingAuthenticationToken: 'p', organizations },
        },
      }),
      '/auth/select-organization': () => ({ body: { user } }),
    })
    const email = user.email
    expect(await signInWithCode(client, { email, code: '1' })).toEqual({ state: 'signed-in', user })
    const end = await signInWithCode(client, { email, code: '2' })
    expect(end).toMatchObject({ state: 'choose', organizations })
    if (end.state !== 'choose') expect.fail('nothing to choose')
    expect(await end.choose('org_1')).toEqual({ state: 'signed-in', user })
    expect(asked.at(-1)?.body).toEqual({ pendingAuthenticationToken: 'p', organizationId: 'org_1' })
  })
})

describe('a calendar', () => {
  it('is connected with state and PKCE of this tab, and finished on return', async () => {
    const { client, asked } = fakeOffice({
      '/api/v1/calendar/provider-b/connect': () => ({ body: { redirectUrl: 'https://provider.example/' } }),
      '/api/v1/calendar/provider-b/finalize-connection': () => ({ body: { code: 200, message: '' } }),
    })
    const tab = fakePage()
    await connectCalendar(client, 'b', tab.page)
    expect(tab.left).toEqual(['https://provider.example/'])
    const { state, codeChallenge } = asked[0]?.body ?? {}
    const back = tab.at(`https://front.example/calendar/complete?code=c&state=${state}`)
    expect(await finishCalendar(client, back)).toEqual({ state: 'connected', provider: 'b' })

    const codeVerifier = String(asked[1]?.body.codeVerifier)
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
    expect(codeChallenge).toBe(Buffer.from(digest).toString('base64url'))
    expect(await finishCalendar(client, back)).toEqual({ state: 'refused', error: 'another-tab' })
  })
})
