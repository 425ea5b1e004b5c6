import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openOfficeWithIssuer } from '../../../../tests/chapters/single-sign-on.ts'
import { type Surfer, surferOf } from '../../../../tests/chapters/surfer.ts'
import { freshEmail, type TestOffice } from '../../../../tests/office.ts'
import { newPerson } from '../../../../tests/people.ts'
import { timed } from '../../../../tests/run/timed.ts'
import type { HostileIssuer, Mischief } from '../../../../tests/vendors/hostile-issuer.ts'

const FRONTEND = 'https://office.example'

describe('the return of a sign-in', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer((issuer) => ({
      atBaseUrl: true,
      settings: {
        FRONTEND_URL: FRONTEND,
        GOOGLE_CLIENT_ID: 'us',
        GOOGLE_CLIENT_SECRET: 'short',
        GOOGLE_ISSUER_URL: issuer.issuer,
      },
    })))
  })
  afterAll(() => office.close())
  beforeEach(() => {
    const email = freshEmail()
    issuer.person = { sub: email, email, email_verified: true, hd: 'people.example' }
  })
  afterEach(() => {
    issuer.mischief = {}
  })

  async function begun(surfer = surferOf(office)) {
    const { authData } = await surfer.client.call('continueWithProviderA')
    const { searchParams } = new URL(authData.redirectURL)
    const back = (answer: Record<string, string> = {}) => {
      const url = new URL(searchParams.get('redirect_uri') ?? '')
      const nonce = searchParams.get('nonce') ?? ''
      url.search = new URLSearchParams({ code: nonce, state: authData.state, ...answer }).toString()
      return url.href
    }
    return { surfer, authData, searchParams, back }
  }
  async function bring(surfer: Surfer, url: string) {
    const { url: end, status } = await surfer.visit(url)
    expect(status).toBe(303)
    expect(`${end.origin}${end.pathname}`).toBe(`${FRONTEND}/auth/complete`)
    return end.searchParams
  }

  it('asks with PKCE, state and nonce, and comes back to BASE_URL whatever the request says', async () => {
    const response = await fetch(`${office.baseUrl}/auth/continue-with-provider-a`, {
      method: 'POST',
      headers: { 'x-forwarded-host': 'evil.example', host: 'evil.example' },
    })
    const { authData } = (await response.json()) as { authData: { redirectURL: string; state: string } }
    const asked = Object.fromEntries(new URL(authData.redirectURL).searchParams)
    expect(asked).toMatchObject({
      client_id: 'us',
      response_type: 'code',
      redirect_uri: `${office.office.config.baseUrl}/auth/callback/provider-a`,
      state: authData.state,
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const [shared, own] = response.headers.getSetCookie()
    expect(shared).toMatch(/^atrium_browser=brw_[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(own).toMatch(
      /^atrium_browser_[0-9a-f]{16}=brw_[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('goes to the front end with a code of ours and the state, and signs in with it', async () => {
    const { surfer, authData, back } = await begun()
    const end = await bring(surfer, back())
    expect(Object.fromEntries(end)).toEqual({
      code: expect.stringMatching(/^code_[\w-]{43}$/),
      state: authData.state,
    })
    const answer = await surfer.client.request('finalizeOauth', { code: end.get('code') ?? '' })
    expect(answer).toMatchObject({ status: 200, body: { user: { email: issuer.person.email } } })
  })

  it('takes a question mark for what it is within a query: part of it', async () => {
    const { surfer, authData, back } = await begun()
    const url = new URL(back())
    url.search = `?hint=a?b&${url.search.slice(1)}`
    expect(Object.fromEntries(await bring(surfer, url.href))).toEqual({
      code: expect.any(String),
      state: authData.state,
    })
  })

  it('works in several tabs of one browser at once', async () => {
    const surfer = surferOf(office)
    const [first, second] = [await begun(surfer), await begun(surfer)]
    for (const { back } of [first, second]) expect((await bring(surfer, back())).has('code')).toBe(true)
  })

  it('works in two tabs of a new browser that begin at once, whichever name of it stays', async () => {
    const surfer = surferOf(office)
    const tabs = await Promise.all([begun(surfer), begun(surfer)])
    const ends = []
    for (const { back } of tabs) ends.push(await bring(surfer, back()))
    for (const end of ends) {
      const answer = await surfer.client.request('finalizeOauth', { code: end.get('code') ?? '' })
      expect(answer).toMatchObject({ status: 200, body: { user: { email: issuer.person.email } } })
    }
  })

  it('leaves nothing behind of what was begun in a browser that has a name already', async () => {
    const surfer = surferOf(office)
    await begun(surfer)
    const { headers } = await surfer.client.request('continueWithProviderA')
    expect(headers.getSetCookie()).toHaveLength(1)
  })

  it.each<[string, Mischief]>([
    ['another nonce', { claims: { nonce: 'other' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'them' } }],
    ['several audiences without azp', { claims: { aud: ['us', 'them'] } }],
    ['no subject', { claims: { sub: undefined as never } }],
    ['an expired token', { claims: { exp: 1 } }],
    ['no signature', { signature: 'none' }],
    ['the signature of another key', { signature: 'other-key' }],
    ['the public key as a shared secret', { signature: 'public-key-as-secret' }],
    ['a refusal of the code', { answer: { at: 'token', status: 400, body: '{"error":"invalid_grant"}' } }],
  ])('refuses %s', async (_, mischief) => {
    const { surfer, back } = await begun()
    issuer.mischief = mischief
    expect(Object.fromEntries(await bring(surfer, back()))).toMatchObject({ error: 'sign-in-refused' })
  })

  it.each(['', '  ', 'x'.repeat(256), 'a\0b'])(
    'makes no account of a name at the issuer that is none, and tells the person so: %j',
    async (sub) => {
      const { surfer, authData, back } = await begun()
      issuer.person = { ...issuer.person, sub }
      expect(Object.fromEntries(await bring(surfer, back()))).toEqual({
        error: 'identity-unusable',
        state: authData.state,
      })
      const { rows } = await office.database.pool.query(
        "select 1 from linked_identities where btrim(subject) = '' or length(subject) > 255",
      )
      expect(rows).toEqual([])
    },
  )

  it('refuses what comes back in another browser, without spending it', async () => {
    const { surfer, back } = await begun()
    const thief = surferOf(office)
    expect((await bring(thief, back())).get('error')).toBe('sign-in-expired')
    await thief.client.call('continueWithProviderA')
    expect((await bring(thief, back())).get('error')).toBe('sign-in-expired')
    expect((await bring(surfer, back())).has('code')).toBe(true)
  })

  it('asks the provider once, however often it comes back', async () => {
    const { surfer, back } = await begun()
    const asked = issuer.tokensAsked
    const ends = await Promise.all(Array.from({ length: 10 }, () => bring(surfer, back())))
    expect(ends.filter((end) => end.has('code'))).toHaveLength(1)
    expect(issuer.tokensAsked).toBe(asked + 1)
  })

  it('refuses an unknown state, one of another provider, none, and one of yesterday', async () => {
    const { surfer, back } = await begun()
    const foreign = new URL(back())
    foreign.pathname = '/auth/callback/provider-b'
    for (const url of [back({ state: `st_${'x'.repeat(43)}` }), back({ state: '' }), foreign.href]) {
      expect((await bring(surfer, url)).get('error')).toBe('sign-in-expired')
    }
    office.clock.advance(10 * 60 + 1)
    expect((await bring(surfer, back())).get('error')).toBe('sign-in-expired')
  })

  it('says in a word of ours why there was no code, and repeats nothing of the provider', async () => {
    const cancelled = await begun()
    const words = { error: 'access_denied', error_description: '<script>' }
    const end = await bring(cancelled.surfer, cancelled.back(words))
    expect(Object.fromEntries(end)).toEqual({ error: 'sign-in-cancelled', state: cancelled.authData.state })
    const other = await begun()
    const second = await bring(other.surfer, other.back({ error: 'https://evil.example' }))
    expect(second.get('error')).toBe('sign-in-refused')
  })

  it.each<[string, Mischief]>([
    ['errs', { answer: { at: 'token', status: 500, body: 'oops' } }],
    ['is overrun', { answer: { at: 'token', status: 429, body: '{"error":"slow_down"}' } }],
    ['talks nonsense', { answer: { at: 'token', body: '<html>' } }],
    ['never stops talking', { answer: { at: 'token', body: `"${'x'.repeat(400_000)}"` } }],
  ])('says that a provider which %s is unavailable', async (_, mischief) => {
    const { surfer, back } = await begun()
    issuer.mischief = mischief
    expect((await bring(surfer, back())).get('error')).toBe('provider-unavailable')
  })

  it('does not wait for a provider that does not answer', async () => {
    const { surfer, back } = await begun()
    issuer.mischief = { answer: { at: 'token', hang: true } }
    const { result, ms, allowance } = await timed(() => bring(surfer, back()))
    expect(result.get('error')).toBe('provider-unavailable')
    expect(ms).toBeLessThan(6_000 + allowance)
  })

  describe('linking', () => {
    async function arrive(person: Record<string, unknown>) {
      issuer.person = person
      const { surfer, back } = await begun()
      const code = (await bring(surfer, back())).get('code') ?? ''
      return await surfer.client.request('finalizeOauth', { code })
    }

    it('keeps to the name at the issuer, whatever address it has later', async () => {
      const [email, other] = [freshEmail(), await newPerson(office)]
      const person = { sub: email, email, email_verified: true, hd: 'people.example' }
      const first = await arrive(person)
      const later = await arrive({ ...person, email: other.email })
      expect(later.body).toEqual(first.body)
    })

    it.each([
      ['false', { email_verified: false, hd: 'people.example' }],
      ['absent', { hd: 'people.example' }],
      ['the text "true"', { email_verified: 'true', hd: 'people.example' }],
    ])('does not take an account over where email_verified is %s', async (_, claims) => {
      const victim = await newPerson(office)
      const answer = await arrive({ sub: freshEmail(), email: victim.email, ...claims })
      expect(answer).toMatchObject({ status: 400, body: { error: 'email-not-proven' } })
    })

    it('takes the account of an address that the same token says is verified', async () => {
      const person = await newPerson(office)
      const answer = await arrive({ sub: freshEmail(), email: person.email, email_verified: true })
      expect(answer).toMatchObject({ status: 200, body: { user: { id: person.id, email: person.email } } })
    })

    it('makes no account of an address that is none, or not there', async () => {
      for (const email of [undefined, '', 'root', 'a@b', { $ne: '' }]) {
        const answer = await arrive({ sub: freshEmail(), email, email_verified: true })
        expect(answer).toMatchObject({ status: 400, body: { error: 'email-not-proven' } })
      }
    })

    it('leaves out names that cannot be shown', async () => {
      const email = freshEmail()
      const names = { given_name: 'Ada\u202e', family_name: 'Lovelace' }
      const answer = await arrive({ sub: email, email, email_verified: true, ...names })
      expect(answer.body).toMatchObject({ user: { firstName: '', lastName: 'Lovelace' } })
    })

    it('takes the name that an issuer says in one piece, where it says no parts of it', async () => {
      const shown = async (names: object) => {
        const email = freshEmail()
        await arrive({ sub: email, email, email_verified: true, ...names })
        const sql = 'select display_name from users where email = $1'
        return (await office.database.pool.query(sql, [email])).rows[0].display_name
      }
      expect(await shown({ name: 'Ada King, Countess of Lovelace' })).toBe('Ada King, Countess of Lovelace')
      expect(await shown({ name: 'A. K.', given_name: 'Ada', family_name: 'Lovelace' })).toBe('Ada Lovelace')
      expect(await shown({ name: 'Ada\u202e' })).not.toContain('Ada')
    })
  })
})
