import { randomBytes } from 'node:crypto'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../configuration/config.ts'
import { vendorFetch } from './identity-provider.ts'

describe('vendorFetch', () => {
  const fetchOf = (settings: Record<string, string>) =>
    vendorFetch(
      readConfig(
        {
          ATRIUM_ENV: 'production',
          EMBEDDED_DATABASE: 'true',
          BASE_URL: 'https://office.example',
          SECRET_KEY: randomBytes(48).toString('base64'),
          SMTP_URL: 'smtp://mail.example:587',
          ...settings,
        },
        '/nowhere',
      ),
    )
  const causeOf = async (settings: Record<string, string>) =>
    await fetchOf(settings)(`https://127.0.0.1:${await freePort()}/`, {}).then(
      () => undefined,
      (error: Error) => String(error.cause),
    )

  it('reaches public addresses only, in production', async () => {
    expect(await causeOf({})).toContain('not public; ATRIUM_ALLOW_PRIVATE_ISSUERS allows it')
    expect(await causeOf({ ATRIUM_ALLOW_PRIVATE_ISSUERS: 'false' })).toContain('not public')
  })

  it('reaches others where that is allowed, and outside production', async () => {
    expect(await causeOf({ ATRIUM_ALLOW_PRIVATE_ISSUERS: 'true' })).toContain('ECONNREFUSED')
    expect(await causeOf({ ATRIUM_ENV: 'test' })).toContain('ECONNREFUSED')
  })
})
