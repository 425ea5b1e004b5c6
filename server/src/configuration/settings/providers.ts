import type { Setting } from './setting.ts'

/** Settings of who knows the people: identity provider, and registrations at social providers. */
export const providerSettings = [
  {
    name: 'IDENTITY_PROVIDER',
    group: 'Sign-in',
    kind: 'choice',
    choices: ['local', 'workos'],
    default: 'local',
    description: 'Who manages accounts: this server itself, or WorkOS.',
  },
  {
    name: 'WORKOS_API_KEY',
    neededWhere: { setting: 'IDENTITY_PROVIDER', is: 'workos' },
    group: 'Sign-in',
    kind: 'secret',
    description: 'Key of the WorkOS environment. Needed where IDENTITY_PROVIDER is workos.',
  },
  {
    name: 'WORKOS_CLIENT_ID',
    neededWhere: { setting: 'IDENTITY_PROVIDER', is: 'workos' },
    group: 'Sign-in',
    kind: 'text',
    description: 'Client of the WorkOS environment. Needed where IDENTITY_PROVIDER is workos.',
  },
  {
    name: 'WORKOS_API_URL',
    group: 'Sign-in',
    kind: 'url',
    default: 'https://api.workos.com',
    description: 'Where WorkOS answers.',
  },
  {
    name: 'GOOGLE_CLIENT_ID',
    group: 'Sign-in',
    kind: 'text',
    description:
      'Our registration at Google (provider A). Without it the sandbox stands in; in production this sign-in does not exist.',
  },
  {
    name: 'GOOGLE_CLIENT_SECRET',
    group: 'Sign-in',
    kind: 'secret',
    description: 'Its secret. Redirect address to register: <BASE_URL>/auth/callback/provider-a',
  },
  {
    name: 'GOOGLE_ISSUER_URL',
    group: 'Sign-in',
    kind: 'url',
    default: 'https://accounts.google.com',
    description: 'The OpenID Connect issuer of provider A.',
  },
  {
    name: 'ATRIUM_ALLOW_PRIVATE_ISSUERS',
    group: 'Sign-in',
    kind: 'boolean',
    default: 'false',
    description:
      'Whether production calls issuers and calendars at addresses that are not public: of this machine or of its network. Always by https.',
  },
  {
    name: 'ATRIUM_ALLOW_PRIVATE_WEBHOOKS',
    group: 'Webhooks',
    kind: 'boolean',
    default: 'false',
    description:
      'Whether production sends events to webhooks, and pushes to browsers, at addresses that are not public, or by http: of this machine or of its network.',
  },
  {
    name: 'MICROSOFT_CLIENT_ID',
    group: 'Sign-in',
    kind: 'text',
    description:
      'Our registration at Microsoft (provider B). Without it the sandbox stands in; in production this sign-in does not exist.',
  },
  {
    name: 'MICROSOFT_CLIENT_SECRET',
    group: 'Sign-in',
    kind: 'secret',
    description: 'Its secret. Redirect address to register: <BASE_URL>/auth/callback/provider-b',
  },
  {
    name: 'MICROSOFT_ISSUER_URL',
    group: 'Sign-in',
    kind: 'url',
    default: 'https://login.microsoftonline.com/common/v2.0',
    description: 'The OpenID Connect issuer of provider B.',
  },
] as const satisfies readonly Setting[]
