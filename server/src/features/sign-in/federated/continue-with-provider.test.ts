import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOfficeWithIssuer } from '../../../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { PRODUCTION } from '../../../../tests/operator/production-settings.ts'
import { newPerson } from '../../../../tests/people.ts'
import { timed } from '../../../../tests/run/timed.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

const PROVIDERS = [
  { operation: 'continueWithProviderA', vendor: 'GOOGLE', path: 'provider-a' },
  { operation: 'continueWithProviderB', vendor: 'MICROSOFT', path: 'provider-b' },
] as const

describe.each(PROVIDERS)('$operation', ({ operation, vendor, path }) => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer((issuer) => ({
      settings: {
        [`${vendor}_CLIENT_ID`]: 'us',
        [`${vendor}_CLIENT_SECRET`]: 'short',
        [`${vendor}_ISSUER_URL`]: issuer.issuer,
      },
    })))
  })
  afterAll(() => office.close())

  it('answers 503 within 6 seconds while the provider is silent, errs or lies, and harms no session', async () => {
    const person = await newPerson(office)
    const lies = JSON.stringify({ issuer: 'https://evil.example' })
    const faults = [{ hang: true }, { status: 500, body: 'oops' }, { body: '<html>' }, { body: lies }]
    const answers = await Promise.all(
      faults.map(async (fault) => {
        issuer.mischief = { answer: { at: 'metadata', ...fault } }
        return await timed(() => office.browser().request(operation))
      }),
    )
    for (const { result, ms, allowance } of answers) {
      expect(result).toMatchObject({ status: 503, body: { code: 503, error: 'provider-unavailable' } })
      expect(ms).toBeLessThan(6_000 + allowance)
    }
    expect((await person.browser.request('getCurrentUser')).status).toBe(200)
    issuer.mischief = {}
    expect((await office.browser().request(operation)).status).toBe(200)
  })

  it('answers where to go and the state, and nothing else', async () => {
    const answer = await office.browser().request(operation)
    expect(answer).toMatchObject({ status: 200 })
    const { authData, ...rest } = answer.body as { authData: { redirectURL: string; state: string } }
    expect(rest).toEqual({})
    expect(Object.keys(authData).sort()).toEqual(['redirectURL', 'state'])
    expect(authData.redirectURL).toContain(`${issuer.issuer}/authorize?`)
    expect(new URL(authData.redirectURL).searchParams.get('state')).toBe(authData.state)
  })

  it('does not exist in production without a registration', async () => {
    const production = await openTestOffice({ settings: PRODUCTION })
    try {
      const answer = await production.browser().request(operation)
      expect(answer).toMatchObject({ status: 404, body: { code: 404 } })
      expect((await fetch(`${production.baseUrl}/sandbox/${path}/auth`)).status).toBe(404)
    } finally {
      await production.close()
    }
  })
})
