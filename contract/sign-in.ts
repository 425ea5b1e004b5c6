import Type from 'typebox'
import { operation } from './operation.ts'
import { EmailField, MailedCode, SessionUser, UndecidedUser, words } from './shapes.ts'

const chapter = 'Authentication and session'
const open = { kind: 'public' } as const

const SignInReply = Type.Object({
  authData: Type.Union([
    Type.Object({
      authMethod: Type.Literal('sso'),
      redirectURL: Type.String({ description: "Where to send the person: their organization's own sign-in" }),
      state: Type.String({ description: 'Comes back with the code; compare it' }),
    }),
    Type.Object({ authMethod: Type.Literal('magic_auth') }),
  ]),
})

const RedirectReply = Type.Object({
  authData: Type.Object({
    redirectURL: Type.String({ description: 'Where to send the person' }),
    state: Type.String({ description: 'Comes back with the code; compare it' }),
  }),
})

const SessionUserReply = Type.Object({ user: SessionUser })

/** What an identity provider may still want of a person who has proven who they are. */
const obstacles = [
  'single-sign-on-required',
  'email-not-proven',
  'second-factor-required',
  'sign-in-method-not-accepted',
  'identity-unusable',
] as const

const SignUpReply = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  authMethod: Type.Optional(
    words(['sso'] as const, {
      description:
        'Only where no code comes: this address signs in through its organization. Begin at sign-in',
    }),
  ),
})

/** How a join on the way in has ended. */
const JoinOutcome = Type.Object(
  {
    organizationId: Type.String(),
    state: words(['joined', 'expired', 'revoked', 'removed'] as const, {
      description:
        'joined: they are a member. expired, revoked: the invitation or link no longer held. removed: they were taken out by others, and need a new invitation',
    }),
  },
  {
    title: 'JoinOutcome',
    description:
      'Where the sign-in was for joining an organization, or entered one by its single sign-on: how that ended',
  },
)

/** Beside the person in the replies of finalizers. */
const joining = {
  joined: Type.Optional(JoinOutcome),
  waiting: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Ids of organizations whose invitations wait for this address: signing in joins none of them, `joinOrganization` does',
    }),
  ),
}

const InvitedSignUp = Type.Object({
  email: EmailField,
  inviteToken: Type.String({ minLength: 1, maxLength: 512 }),
})

export const signInOperations = {
  signIn: operation({
    method: 'POST',
    path: '/auth/sign-in',
    summary: 'Start a sign-in',
    description:
      'Mails a code, or answers where single sign-on begins. The answer is the same whether or not the address is known.',
    chapter,
    access: open,
    body: Type.Object({ email: EmailField }),
    replies: { 200: SignInReply },
    budgets: ['sign-in-per-address'],
  }),
  devSignIn: operation({
    method: 'POST',
    path: '/auth/dev-sign-in',
    summary: 'Sign in as the fixed developer',
    description: 'Development and tests only: in production it does not exist.',
    chapter,
    access: open,
    body: Type.Object({}),
    replies: { 200: Type.Object({ user: Type.Object({ id: Type.String(), email: Type.String() }) }) },
    errors: ['not-found'],
    budgets: ['sign-in-per-address'],
    developmentOnly: true,
  }),
  signUp: operation({
    method: 'POST',
    path: '/auth/sign-up',
    summary: 'Make an account and have a code mailed',
    chapter,
    access: open,
    body: Type.Object({ email: EmailField }),
    replies: { 201: SignUpReply },
    errors: ['sign-up-by-invitation'],
    budgets: ['sign-in-per-address'],
  }),
  adminSignUp: operation({
    method: 'POST',
    path: '/auth/admin-sign-up',
    summary: 'Make the account of a pilot customer and have a code mailed',
    description: 'Exists only in the environments that PILOT_SIGN_UP_ENVIRONMENTS lists.',
    chapter,
    access: open,
    body: InvitedSignUp,
    replies: { 201: SignUpReply },
    errors: ['not-found', 'invalid-invite-token'],
    budgets: ['sign-in-per-address'],
    pilotOnly: true,
  }),
  memberSignUp: operation({
    method: 'POST',
    path: '/auth/member-sign-up',
    summary: 'Make an account by an invitation and have a code mailed',
    description:
      "Takes the token of an organization's invite link or of an e-mailed invitation. The membership comes when the code is finalized.",
    chapter,
    access: open,
    body: InvitedSignUp,
    replies: { 201: SignUpReply },
    errors: ['invalid-invite-token', 'invitation-expired'],
    budgets: ['sign-in-per-address'],
  }),
  resendMagicAuth: operation({
    method: 'POST',
    path: '/auth/resend-magic-auth',
    summary: 'Have a new code mailed',
    description: 'Only the newest code works.',
    chapter,
    access: open,
    body: Type.Object({ email: EmailField }),
    replies: { 200: SignUpReply },
    budgets: ['sign-in-per-address'],
  }),
  finalizeMagicAuth: operation({
    method: 'POST',
    path: '/auth/finalize-magic-auth',
    summary: 'Finish a sign-in with the mailed code',
    description:
      'Sets the session cookie, unless the person belongs to several organizations: then nobody is signed in until select-organization.',
    chapter,
    access: open,
    body: Type.Object({
      email: EmailField,
      code: MailedCode,
    }),
    replies: {
      200: Type.Object({
        user: Type.Union([SessionUser, UndecidedUser]),
        ...joining,
      }),
    },
    errors: ['invalid-code', 'invalid-invite-token', ...obstacles],
    budgets: ['sign-in-per-address'],
  }),
  recoverAccess: operation({
    method: 'POST',
    path: '/auth/recovery',
    summary: 'Sign in by the link of an operator',
    description:
      'For an administrator who is locked out. The token is what stands behind the `#` of the link; it works once, for 15 minutes.',
    chapter,
    access: open,
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 512 }) }),
    replies: { 200: SessionUserReply },
    errors: ['invalid-code'],
    budgets: ['sign-in-per-address'],
  }),
  continueWithProviderA: operation({
    method: 'POST',
    path: '/auth/continue-with-provider-a',
    summary: 'Start a sign-in at provider A',
    description: 'Sets a cookie: the sign-in goes on in this browser only.',
    chapter,
    access: open,
    replies: { 200: RedirectReply },
    errors: ['not-found'],
    budgets: ['sign-in-per-address'],
  }),
  continueWithProviderB: operation({
    method: 'POST',
    path: '/auth/continue-with-provider-b',
    summary: 'Start a sign-in at provider B',
    description: 'Sets a cookie: the sign-in goes on in this browser only.',
    chapter,
    access: open,
    replies: { 200: RedirectReply },
    errors: ['not-found'],
    budgets: ['sign-in-per-address'],
  }),
  finalizeOauth: operation({
    method: 'POST',
    path: '/auth/finalize-oauth',
    summary: 'Finish a sign-in with the code that came back to the front end',
    description: 'The code works for one minute, once, and only in the browser that began.',
    chapter,
    access: open,
    body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 2048 }) }),
    replies: { 200: Type.Object({ user: SessionUser, ...joining }) },
    errors: [
      'sign-up-by-invitation',
      'invalid-code',
      'single-sign-on-required',
      'foreign-domain',
      'no-email',
      'email-not-proven',
      'second-factor-required',
      'sign-in-method-not-accepted',
      'identity-unusable',
      'membership-not-active',
    ],
    budgets: ['sign-in-per-address'],
  }),
  selectOrganization: operation({
    method: 'POST',
    path: '/auth/select-organization',
    summary: 'Finish a sign-in by choosing an organization',
    chapter,
    access: open,
    body: Type.Object({
      pendingAuthenticationToken: Type.String({ minLength: 1, maxLength: 512 }),
      organizationId: Type.String({ minLength: 1, maxLength: 128 }),
    }),
    replies: { 200: SessionUserReply },
    errors: ['invalid-pending-authentication-token', 'not-found', ...obstacles],
    budgets: ['sign-in-per-address'],
  }),
  switchOrganization: operation({
    method: 'POST',
    path: '/auth/switch-organization',
    summary: 'Work in another organization',
    description:
      "Acts on the session, whose address has to be given: 401 without one, 403 for another address. Gives the session a new id; for five seconds the same call with the previous id is answered alike, without a cookie. A session made by one organization's single sign-on enters no other (403), nor one that is older than an organization allows (`retention`).",
    chapter,
    access: { kind: 'session', orReplaced: true },
    body: Type.Object({
      email: EmailField,
      organizationId: Type.String({ minLength: 1, maxLength: 128 }),
    }),
    replies: { 200: SessionUserReply },
    errors: ['another-person', 'sign-in-method-not-accepted', 'signed-in-too-long-ago', 'not-found'],
    budgets: ['sign-in-per-address'],
  }),
  signOut: operation({
    method: 'POST',
    path: '/auth/sign-out',
    summary: 'End the session',
    description: "Ends it at once on every node and answers the identity provider's logout address.",
    chapter,
    access: { kind: 'session' },
    replies: { 200: Type.Object({ authData: Type.Object({ redirectURL: Type.String() }) }) },
  }),
} as const
