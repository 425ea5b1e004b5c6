import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Domain, nullable, Timestamp, words } from './shapes.ts'

const chapter = 'Domains and single sign-on'
const mayManage = { kind: 'organization', permission: 'ManageSingleSignOn' } as const

const DomainId = Type.String({ minLength: 1, maxLength: 128 })

const DnsRecord = Type.Object(
  {
    name: Type.String({ description: '`_atrium.<domain>`' }),
    type: words(['TXT'] as const),
    value: Type.String(),
  },
  {
    title: 'DnsRecord',
    description:
      'To be published, and left there: it is looked up once a day. null: the identity provider has verified the domain; claim it to be given a record',
  },
)

const DomainClaim = Type.Object(
  {
    ...Domain.properties,
    provenByDns: Type.Boolean({
      description:
        'The record was there when it was looked up last. A verified domain without it is believed on the word of the operator: its single sign-on reaches this organization only.',
    }),
    lookedUpAt: nullable(Timestamp),
    record: nullable(DnsRecord),
  },
  { title: 'DomainClaim' },
)

export const organizationDomainOperations = {
  claimOrganizationDomain: operation({
    method: 'POST',
    path: '/api/v1/organizations/domains/claim',
    summary: 'Claim a domain, and read the DNS record that proves it',
    description:
      'Matched exactly, without its subdomains. A claim keeps nobody else from claiming it: it belongs to whoever’s record is found first. Claimed again, it answers the claim there is, with the same record. Domains in which everybody can have an address, and public suffixes, are refused. At most 50 an organization.',
    chapter,
    access: mayManage,
    body: Type.Object({
      domain: Type.String({ minLength: 3, maxLength: 253, label: 'a domain such as acme.example' }),
    }),
    replies: { 200: Type.Object({ domain: DomainClaim }) },
    errors: ['too-many-domains'],
  }),
  listOrganizationDomains: operation({
    method: 'POST',
    path: '/api/v1/organizations/domains/list',
    summary: "List the organization's domains, by name",
    chapter,
    access: mayManage,
    replies: { 200: Type.Object({ domains: Type.Array(DomainClaim) }) },
  }),
  verifyOrganizationDomain: operation({
    method: 'POST',
    path: '/api/v1/organizations/domains/verify',
    summary: 'Look for the DNS record of a domain now',
    description:
      'Where the record is found, the domain is `verified` from then on; where there is none, it is `failed`, and may be looked up again. What is verified stays so. Where single sign-on is in force, it is so for the addresses of this domain at once. 409 `domain-taken`: another organization has proven it. 503 `dns-unavailable`: the DNS does not answer.',
    chapter,
    access: mayManage,
    body: Type.Object({ id: DomainId }),
    replies: { 200: Type.Object({ domain: DomainClaim }) },
    errors: ['domain-not-found', 'domain-taken', 'dns-unavailable'],
  }),
  removeOrganizationDomain: operation({
    method: 'POST',
    path: '/api/v1/organizations/domains/remove',
    summary: 'Give up a domain',
    description:
      'Its people sign in by mailed codes again; sessions that single sign-on has made for them end.',
    chapter,
    access: mayManage,
    body: Type.Object({ id: DomainId }),
    replies: { 204: null },
    errors: ['domain-not-found'],
  }),
} as const

const connectionFields = {
  issuer: Type.String({ description: 'As its discovery document says: https://login.acme.example' }),
  clientId: Type.String(),
  trustsEmail: Type.Boolean({
    description: 'Its addresses count as verified although it does not say so (Entra ID, for one)',
  }),
  redirectAddress: Type.String({ description: 'To be registered at the issuer; this connection’s alone' }),
}

/** How a test sign-in has ended. */
export const signOnTestOutcomes = [
  'passed',
  'cancelled',
  'refused',
  'issuer-unavailable',
  'identity-unusable',
  'no-email',
  'email-not-verified',
  'foreign-domain',
  'another-person',
  'settings-changed',
] as const
export type SignOnTestOutcome = (typeof signOnTestOutcomes)[number]

const SignOnTest = Type.Object(
  {
    at: Timestamp,
    outcome: words(signOnTestOutcomes, {
      title: 'SignOnTestOutcome',
      description:
        '`refused`: the issuer refuses, or what it says does not hold; `identity-unusable`: it names nobody in particular (an empty, blank or over-long subject); `no-email`: neither its id token nor its userinfo endpoint has an address; `foreign-domain`: the address is of none of the verified domains; `another-person`: the caller’s own address is of such a domain, and the issuer names another one',
    }),
    domain: nullable(Type.String({ description: 'Of the address that the issuer has named' })),
    emailVerified: Type.Boolean({ description: 'It has said so, or is trusted to mean it' }),
    of: words(['draft', 'in-force'], { title: 'SignOnTestSubject' }),
  },
  { title: 'SignOnTest', description: 'The last one that has ended, for a day' },
)

const SignOnDraft = Type.Object(
  {
    ...connectionFields,
    testedAt: nullable({
      ...Timestamp,
      description: 'When a test of just these settings has passed; null: none has since they were changed',
    }),
  },
  { title: 'SingleSignOnDraft', description: 'What is being set up: nobody signs in by it' },
)

const SignOn = Type.Object(
  {
    inForce: nullable(
      Type.Object(connectionFields, {
        title: 'SingleSignOnConnection',
        description: 'By which people of the verified domains sign in, and in no other way',
      }),
    ),
    draft: nullable(SignOnDraft),
    lastTest: nullable(SignOnTest),
  },
  { title: 'SingleSignOn' },
)
export type SignOn = Static<typeof SignOn>

export const singleSignOnOperations = {
  getSingleSignOn: operation({
    method: 'POST',
    path: '/api/v1/organizations/single-sign-on/get',
    summary: 'Read how the organization signs in',
    description: 'Never the client secret.',
    chapter,
    access: mayManage,
    replies: { 200: SignOn },
    errors: ['address-not-public', 'single-sign-on-elsewhere'],
  }),
  saveSingleSignOn: operation({
    method: 'POST',
    path: '/api/v1/organizations/single-sign-on/save',
    summary: 'Set up a connection to an OpenID Connect issuer',
    description:
      'As a draft, which nobody signs in by: test it, then activate it. What is in force stays so meanwhile. The client secret is kept sealed and never shown; it may be left out where issuer and client id are those of the draft, or else of what is in force. At the same issuer the redirect address stays.',
    chapter,
    access: mayManage,
    body: Type.Object(
      {
        issuer: Type.String({ minLength: 1, maxLength: 2_048, label: 'an address' }),
        clientId: Type.String({ minLength: 1, maxLength: 512, label: 'a client id' }),
        clientSecret: Type.Optional(
          Type.String({ minLength: 1, maxLength: 4_096, label: 'a client secret' }),
        ),
        trustsEmail: Type.Optional(Type.Boolean()),
      },
      {
        examples: [
          { issuer: 'https://login.example.com/', clientId: 'atrium', clientSecret: 'as the issuer gave it' },
        ],
      },
    ),
    replies: { 200: SignOn },
    errors: ['single-sign-on-elsewhere'],
  }),
  testSingleSignOn: operation({
    method: 'POST',
    path: '/api/v1/organizations/single-sign-on/test',
    summary: 'Begin a test sign-in',
    description:
      'Of the draft, or else of what is in force. Send the browser to `redirectURL`; within 10 minutes it comes back to this office with the session that began, and from there to `<front end>/single-sign-on/complete?outcome=…`. Nobody is signed in by it, and no account is made or linked. `get` tells the outcome too.',
    chapter,
    access: mayManage,
    replies: { 200: Type.Object({ redirectURL: Type.String() }) },
    errors: ['single-sign-on-elsewhere', 'single-sign-on-not-set-up', 'issuer-unusable'],
  }),
  activateSingleSignOn: operation({
    method: 'POST',
    path: '/api/v1/organizations/single-sign-on/activate',
    summary: 'Put the draft in force',
    description:
      'After a test of just these settings that has passed within a day, with an address of a verified domain. From then on people of the verified domains sign in there only; their sessions that came in otherwise end, the caller’s own too.',
    chapter,
    access: mayManage,
    replies: { 200: SignOn },
    errors: ['single-sign-on-elsewhere', 'single-sign-on-not-set-up', 'single-sign-on-not-tested'],
  }),
  deactivateSingleSignOn: operation({
    method: 'POST',
    path: '/api/v1/organizations/single-sign-on/deactivate',
    summary: 'Take single sign-on out of force',
    description:
      'It becomes the draft, and replaces any other draft. Its people sign in by mailed codes again; sessions that it has made end.',
    chapter,
    access: mayManage,
    replies: { 200: SignOn },
    errors: ['single-sign-on-elsewhere', 'single-sign-on-not-set-up'],
  }),
  removeSingleSignOn: operation({
    method: 'POST',
    path: '/api/v1/organizations/single-sign-on/remove',
    summary: 'Remove single sign-on: the draft, and what is in force',
    description: 'Its people sign in by mailed codes again; sessions that it has made end.',
    chapter,
    access: mayManage,
    replies: { 204: null },
    errors: ['single-sign-on-elsewhere', 'single-sign-on-not-set-up'],
  }),
} as const
