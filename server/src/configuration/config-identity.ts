import type { Secret } from '../platform/secrets/secret.ts'
import type { SettingReader } from './setting-reader.ts'

/** Our registration at a provider. */
export interface ProviderRegistration {
  issuer: string
  clientId: string
  clientSecret: Secret
}

/** The identity provider, and the vendors of sign-in and calendars. */
export interface IdentityConfig {
  /** Undefined: this server knows the people itself. */
  workos: { apiKey: Secret; clientId: string; apiUrl: string } | undefined
  /** Registrations at the social providers; undefined: not offered, or by the sandbox. */
  google: ProviderRegistration | undefined
  microsoft: ProviderRegistration | undefined
  /** Whether issuers and calendars may be at addresses that are not public: always outside production. */
  allowPrivateIssuers: boolean
  /** Whether events go to webhooks at addresses that are not public, or by http. */
  allowPrivateWebhooks: boolean
  /** Whether pilot customers may sign up in this environment. */
  pilotSignUp: boolean
  /** Whether only people who were invited may have an account. */
  signUpByInvitation: boolean
  calendarEnabled: boolean
  /** Where the providers' calendars answer. */
  googleCalendarUrl: string
  microsoftGraphUrl: string
}

export function identityConfigOf(read: SettingReader, environment: string): IdentityConfig {
  return {
    workos: read.text('IDENTITY_PROVIDER') === 'workos' ? workosOf(read) : undefined,
    google: registrationOf(read, 'GOOGLE'),
    microsoft: registrationOf(read, 'MICROSOFT'),
    allowPrivateIssuers: environment !== 'production' || read.isOn('ATRIUM_ALLOW_PRIVATE_ISSUERS'),
    allowPrivateWebhooks: environment !== 'production' || read.isOn('ATRIUM_ALLOW_PRIVATE_WEBHOOKS'),
    pilotSignUp: read.list('PILOT_SIGN_UP_ENVIRONMENTS').includes(environment),
    signUpByInvitation: read.text('SIGN_UP') === 'invitation',
    calendarEnabled: read.isOn('CALENDAR_ENABLED'),
    googleCalendarUrl: read.address('GOOGLE_CALENDAR_URL') as string,
    microsoftGraphUrl: read.address('MICROSOFT_GRAPH_URL') as string,
  }
}

function workosOf(read: SettingReader): IdentityConfig['workos'] {
  return Object.freeze({
    apiKey: read.secret('WORKOS_API_KEY') as Secret,
    clientId: read.known('WORKOS_CLIENT_ID'),
    apiUrl: read.address('WORKOS_API_URL') as string,
  })
}

function registrationOf(
  read: SettingReader,
  vendor: 'GOOGLE' | 'MICROSOFT',
): ProviderRegistration | undefined {
  const clientId = read.text(`${vendor}_CLIENT_ID`)
  const clientSecret = read.secret(`${vendor}_CLIENT_SECRET`)
  const issuer = read.text(`${vendor}_ISSUER_URL`)
  return clientId && clientSecret && issuer ? Object.freeze({ issuer, clientId, clientSecret }) : undefined
}
