import { describe, expect, it } from 'vitest'
import { knownIssuers } from './known-issuers.ts'

const ISSUER = 'https://login.example'
const registration = { issuer: ISSUER, clientId: 'atrium', clientSecret: 'a secret of the test' }

/** An issuer that says this about itself. */
function issuerSaying(metadata: Record<string, unknown>, { allowsHttp = false, redirects = false } = {}) {
  const asked: string[] = []
  const fetch = async (url: string, init: RequestInit) => {
    asked.push(url)
    if (redirects && init.redirect === 'manual')
      return new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } })
    return Response.json({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
      ...metadata,
    })
  }
  return { asked, configurationOf: knownIssuers({ fetch, allowsHttp }) }
}

describe('knownIssuers', () => {
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'revocation_endpoint']
  const addresses = [
    ...['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'http://login.example/x'],
    ...['//login.example/x', '/x', '', 'https://user:password@login.example/x', 12],
  ]
  it.each(endpoints.flatMap((endpoint) => addresses.map((address) => [endpoint, address] as const)))(
    'takes no issuer whose %s is %j, and does not remember it',
    async (endpoint, address) => {
      const { asked, configurationOf } = issuerSaying({ [endpoint]: address })
      await expect(configurationOf(registration)).rejects.toThrow()
      await expect(configurationOf(registration)).rejects.toThrow()
      expect(asked).toHaveLength(2)
    },
  )

  it.each(['authorization_endpoint', 'token_endpoint'])('takes none without %s', async (endpoint) => {
    const { configurationOf } = issuerSaying({ [endpoint]: undefined })
    await expect(configurationOf(registration)).rejects.toThrow(endpoint)
  })

  it('takes http where that is allowed, and still nothing else', async () => {
    const plain = { authorization_endpoint: 'http://login.example/x' }
    const { configurationOf } = issuerSaying(plain, { allowsHttp: true })
    await expect(configurationOf(registration)).resolves.toBeDefined()
    const script = issuerSaying({ authorization_endpoint: 'javascript:alert(1)' }, { allowsHttp: true })
    await expect(script.configurationOf(registration)).rejects.toThrow('authorization_endpoint')
  })

  it('remembers two hundred, from all who name them', async () => {
    const urls: string[] = []
    const fetch = async (url: string) => {
      urls.push(url)
      const issuer = new URL(url).origin
      const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` }
      return Response.json({ issuer, ...endpoints })
    }
    const configurationOf = knownIssuers({ fetch, allowsHttp: false })
    const issuers = Array.from({ length: 201 }, (_, n) => `https://login-${n}.example`)
    for (const issuer of [...issuers, issuers[200] as string, issuers[0] as string])
      await configurationOf({ ...registration, issuer })
    expect(urls).toHaveLength(202)
    expect(urls.at(-1)).toMatch(/^https:\/\/login-0\.example/)
  })

  it('follows no redirect', async () => {
    const { asked, configurationOf } = issuerSaying({}, { redirects: true })
    await expect(configurationOf(registration)).rejects.toThrow()
    expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`])
  })
})
