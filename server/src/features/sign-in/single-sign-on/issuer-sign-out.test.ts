import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  draftAt,
  newDomainOwner,
  openOfficeWithIssuer,
  tryOut,
} from '../../../../tests/chapters/single-sign-on.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

const ADDRESS_MAX = 2_048

describe('a sign-out of single sign-on', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  let pageAfter: string
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
    pageAfter = `${office.office.config.frontendUrl}/`
  })
  afterEach(() => {
    issuer.mischief = {}
    issuer.person = {}
    issuer.signOut = undefined
    issuer.signOuts = []
  })
  afterAll(() => office.close())

  /** An administrator who has tried the connection of their domain, and put it in force. */
  async function inForce() {
    const owner = await newDomainOwner(office)
    await owner.browser.call('saveSingleSignOn', draftAt(issuer))
    expect(await tryOut(office, issuer, owner, `trial@${owner.domain}`)).toBe('passed')
    await owner.browser.call('activateSingleSignOn')
    return owner
  }

  /** A colleague signs in by it and out again. @returns where they are sent */
  async function leave(domain: string, claims: Record<string, unknown> = {}): Promise<URL> {
    const colleague = await arriveAt(office, issuer, `ben@${domain}`, claims)
    const { authData } = await colleague.browser.call('signOut')
    expect((await colleague.browser.request('getCurrentUser')).status).toBe(401)
    return new URL(authData.redirectURL)
  }

  it('leads to the issuer, where the trial has come back from there', async () => {
    issuer.signOut = 'back'
    const { domain } = await inForce()
    expect(issuer.signOuts).toHaveLength(1)
    const address = await leave(domain)
    expect(address.href).toMatch(new RegExp(`^${issuer.issuer}/sign-out\\?at=issuer&`))
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(pageAfter)
    expect(decodeJwt(address.searchParams.get('id_token_hint') ?? '')).toMatchObject({
      iss: issuer.issuer,
      sub: `ben@${domain}`,
    })
    // the browser goes there, not the office
    expect(issuer.signOuts).toHaveLength(1)
  })

  it.each([undefined, 'own-page', 'https://elsewhere.example/'] as const)(
    'leads to the front end, where that of the issuer was: %s',
    async (signOut) => {
      issuer.signOut = signOut
      const { domain } = await inForce()
      issuer.signOut = 'back'
      expect((await leave(domain)).href).toBe(pageAfter)
    },
  )

  it('names the client and the person where the id token is too long for an address', async () => {
    issuer.signOut = 'back'
    const { domain } = await inForce()
    const address = await leave(domain, { groups: Array.from({ length: 200 }, (_, n) => `group ${n}`) })
    expect(address.href.length).toBeLessThanOrEqual(ADDRESS_MAX)
    expect(address.searchParams.has('id_token_hint')).toBe(false)
    expect(address.searchParams.get('client_id')).toBe('us')
    expect(address.searchParams.get('logout_hint')).toBe(`ben@${domain}`)
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(pageAfter)
  })

  it('follows the latest trial of what is in force', async () => {
    const owner = await inForce()
    expect((await leave(owner.domain)).href).toBe(pageAfter)
    issuer.signOut = 'back'
    expect(await tryOut(office, issuer, owner, `trial@${owner.domain}`)).toBe('passed')
    expect((await leave(owner.domain)).origin).toBe(issuer.issuer)
    issuer.signOut = 'own-page'
    expect(await tryOut(office, issuer, owner, `trial@${owner.domain}`)).toBe('passed')
    expect((await leave(owner.domain)).href).toBe(pageAfter)
  })

  it('leads to the front end for who has signed in by a code', async () => {
    issuer.signOut = 'back'
    const { browser } = await inForce()
    const { authData } = await browser.call('signOut')
    expect(authData.redirectURL).toBe(pageAfter)
  })

  it('keeps nothing of the id token once the session has ended, and nothing that can be read before', async () => {
    issuer.signOut = 'back'
    const { domain } = await inForce()
    const colleague = await arriveAt(office, issuer, `cleo@${domain}`)
    const kept = async () =>
      (
        await office.database.pool.query<{ upstream_session: string }>(
          'select upstream_session from sessions where user_id = $1 and revoked_at is null',
          [colleague.id],
        )
      ).rows
    const [session] = await kept()
    expect(session?.upstream_session).toMatch(/^issuer_[\w-]+\.[\w-]+$/)
    expect(Buffer.from(session?.upstream_session.split('.')[1] ?? '', 'base64url').toString()).not.toContain(
      'id_token_hint',
    )
    await colleague.browser.call('signOut')
    expect(await kept()).toEqual([])
  })
})
