import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type CalendarProvider, calendarProviders } from '@atrium/contract'
import type { Server } from '../../platform/http/server.ts'
import { deriveKey, type Secret } from '../../platform/secrets/secret.ts'
import { loopbackOf } from '../loopback.ts'
import { type MountedIssuer, openIssuer, type Registration } from './open-issuer.ts'
import { serveIssuer } from './routes.ts'
import { serveSignInPage } from './sign-in-page.ts'

/** The vendors that the sandbox stands in for; their accounts are the addresses that visitors type. */
const ISSUERS = [...calendarProviders, 'sso'] as const
type IssuerName = (typeof ISSUERS)[number]

/** What the office asks for to read calendars, in the words of each vendor. */
const CALENDAR_SCOPES: Record<CalendarProvider, string> & Partial<Record<IssuerName, string>> = {
  'provider-a': 'https://www.googleapis.com/auth/calendar.readonly',
  'provider-b': 'Calendars.Read',
}

/** The domain with single sign-on in development, and the name of its redirect address. */
export const SINGLE_SIGN_ON = { domain: 'sso.example', redirectName: 'sandbox' } as const

/** Stand-ins for the sign-in of vendors and of a customer: three issuers with a login page of one field. */
export interface SandboxIssuers {
  registrations: Record<IssuerName, Registration>
  /** Reaches the stand-ins inside this process, by any name that the office has outside; else the network. */
  fetch(url: string, init: RequestInit): Promise<Response>
  serve(server: Server): void
  /** The owner of an access token to calendars; undefined where it is not one. */
  calendarOwner(name: CalendarProvider, accessToken: string): Promise<string | undefined>
}

export interface SandboxIssuersOptions {
  baseUrl: string
  frontendUrl: string
  secretKey: Secret
}

export function sandboxIssuers({ baseUrl, frontendUrl, secretKey }: SandboxIssuersOptions): SandboxIssuers {
  const registrationOf = (name: IssuerName): Registration => ({
    issuer: `${baseUrl}/sandbox/${name}`,
    clientId: 'atrium',
    clientSecret: Buffer.from(deriveKey(secretKey, `sandbox-issuer/${name}`)).toString('base64url'),
  })
  const registrations = {
    'provider-a': registrationOf('provider-a'),
    'provider-b': registrationOf('provider-b'),
    sso: registrationOf('sso'),
  }
  const opening = new Map<IssuerName, Promise<MountedIssuer>>()
  // The library and its keys take a moment that no start should have to wait for.
  const issuer = (name: IssuerName): Promise<MountedIssuer> => {
    const scope = CALENDAR_SCOPES[name]
    const open =
      opening.get(name) ??
      openIssuer({
        registration: registrations[name],
        loginPath: `/sandbox/${name}/login`,
        redirectUris: [
          `${baseUrl}/auth/callback/${name}${name === 'sso' ? `/${SINGLE_SIGN_ON.redirectName}` : ''}`,
          ...(scope ? [`${frontendUrl}/calendar/complete`] : []),
        ],
        ...(scope ? { lastingScope: scope } : {}),
        rotates: name === 'provider-b',
        cookieKey: randomBytes(32).toString('hex'),
        claimsOf: (email) => claimsOf(name, email),
      })
    opening.set(name, open)
    return open
  }
  let address: AddressInfo | undefined
  return {
    registrations,
    fetch(url, init) {
      const inside = address && url.startsWith(`${baseUrl}/sandbox/`)
      const { pathname, search } = new URL(url)
      return fetch(inside ? `${loopbackOf(address as AddressInfo)}${pathname}${search}` : url, init)
    },
    serve(server) {
      server.addHook('onListen', async () => {
        address = server.server.address() as AddressInfo
      })
      serveSignInPage(server, SINGLE_SIGN_ON.domain)
      for (const name of ISSUERS) serveIssuer(server, { name, baseUrl, issuer: () => issuer(name) })
    },
    calendarOwner: async (name, accessToken) => await (await issuer(name)).accountOf(accessToken),
  }
}

/** What each vendor says about an address that it vouches for. */
function claimsOf(name: IssuerName, email: string): Record<string, unknown> {
  const subject = createHash('sha256').update(`${name} ${email}`).digest('base64url')
  const said = { sub: subject, email, email_verified: true }
  if (name === 'provider-a') return { ...said, hd: email.slice(email.lastIndexOf('@') + 1) }
  return name === 'provider-b' ? { ...said, xms_edov: true } : said
}
