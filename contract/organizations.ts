import Type from 'typebox'
import { auditActions } from './audit.ts'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import {
  AuditEntry,
  auditActorKinds,
  cursorPage,
  cursors,
  Done,
  EmailField,
  Invitation,
  InvitationPreview,
  Member,
  Moment,
  NameField,
  Organization,
  OrganizationListItem,
  oneOf,
  RoleName,
  Timestamp,
  words,
} from './shapes.ts'

const chapter = 'Organizations and invitations'

const OrganizationIdField = Type.String({ minLength: 1, maxLength: 128 })
const TokenField = Type.String({ minLength: 1, maxLength: 512 })
const InviteLink = Type.Object({ inviteLink: Type.String({ description: 'URL' }) })

const AuditCheckpoint = Type.Object(
  {
    organizationId: Type.String({ description: 'Prefix org_' }),
    sequence: Type.String({ description: 'The number of the last entry: its `id` in the list' }),
    hash: Type.String({
      description: 'Of that entry, which covers all before it: SHA-256 in hexadecimal digits',
    }),
    at: Timestamp,
    checkpoint: Type.String({
      description:
        'A compact JWS over the other fields: EdDSA (Ed25519), with the public key in its header (`jwk`)',
    }),
  },
  { title: 'AuditCheckpoint' },
)

/** Published by triggers of the database, by the function `append_event`. */
export const organizationEvents = {
  'organization.updated': realtimeEvent({
    scopes: ['organization'],
    summary: 'The name or logo of the organization changed; `/user/get` has the address of the logo.',
    data: Type.Object({ organizationId: Type.String(), organizationName: Type.String() }),
    example: { organizationId: 'org_01KAJ4Q8ZC7V0X3T5N2M9E6RWB', organizationName: 'Analytical Engines' },
  }),
  'invitation.changed': realtimeEvent({
    scopes: ['organization'],
    summary:
      'An invitation was created, or its state changed; `list-invitation` says whom it is for. No event is sent when one expires: see `expiresAt`.',
    data: Type.Object({
      invitationId: Type.String({ description: 'Prefix invitation_' }),
      state: words(['pending', 'accepted', 'revoked', 'deleted'] as const),
    }),
    example: { invitationId: 'invitation_01KAJ4RB2M5XQ7V9Z0C3T6N8EW', state: 'pending' },
  }),
  'invitation.accepted': realtimeEvent({
    scopes: ['user'],
    summary: 'Somebody has accepted an invitation: to whoever sent it.',
    data: Type.Object({
      invitationId: Type.String({ description: 'Prefix invitation_' }),
      email: Type.String({ description: 'Who was invited' }),
      userId: Type.String({ description: 'Who accepted it: a User.id' }),
    }),
    example: {
      invitationId: 'invitation_01KAJ4RB2M5XQ7V9Z0C3T6N8EW',
      email: 'grace@example.com',
      userId: '43',
    },
  }),
} as const

export const organizationOperations = {
  listOrganizations: operation({
    method: 'POST',
    path: '/api/v1/organizations/list',
    summary: "List the caller's organizations",
    chapter,
    access: { kind: 'session' },
    replies: { 200: Type.Array(OrganizationListItem) },
  }),
  createOrganization: operation({
    method: 'POST',
    path: '/api/v1/organizations/create',
    summary: 'Create an organization',
    description:
      'The creator becomes its admin; it becomes the active organization where none was. One person may found so many (`ORGANIZATIONS_PER_USER`); a deleted one counts for a day.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object({ name: NameField({ min: 1, max: 100 }) }),
    idempotent: true,
    replies: { 200: Organization },
    errors: ['sign-in-method-not-accepted', 'too-many-organizations'],
  }),
  updateOrganization: operation({
    method: 'POST',
    path: '/api/v1/organizations/update',
    summary: 'Rename an organization',
    chapter,
    access: { kind: 'any-organization', permission: 'EditOrganization' },
    body: Type.Object({
      organizationId: OrganizationIdField,
      name: NameField({ min: 1, max: 100 }),
    }),
    replies: { 200: Organization },
    errors: ['organization-not-found'],
  }),
  deleteOrganization: operation({
    method: 'POST',
    path: '/api/v1/organizations/delete',
    summary: 'Delete an organization',
    description:
      'Everybody in it loses access at once. For 30 days an operator can bring it back from the command line.',
    chapter,
    access: { kind: 'any-organization', permission: 'EditOrganization' },
    body: Type.Object({ organizationId: OrganizationIdField }),
    replies: { 200: Done },
    errors: ['organization-not-found'],
  }),
  getInviteLink: operation({
    method: 'GET',
    path: '/api/v1/organizations/get-invite-link',
    summary: "Read the organization's invite link",
    description: 'It is made when it is first asked for.',
    chapter,
    access: { kind: 'organization', permission: 'ReadInviteLink' },
    replies: { 200: InviteLink },
    refusals: [409],
  }),
  resetInviteLink: operation({
    method: 'POST',
    path: '/api/v1/organizations/reset-invite-link',
    summary: "Replace the organization's invite link",
    description: 'The link there was is invalid from then on.',
    chapter,
    access: { kind: 'organization', permission: 'ResetInviteLink' },
    replies: { 200: InviteLink },
  }),
  sendInvitation: operation({
    method: 'POST',
    path: '/api/v1/organizations/send-invitation',
    summary: 'Invite somebody, or many at once, by e-mail',
    description:
      'Either `email`, or `emails` for up to 100. An invitation lives 7 days; a new one replaces the one before. What fails of many is not reported.',
    chapter,
    access: { kind: 'organization', permission: 'InviteUser' },
    body: Type.Object(
      {
        email: Type.Optional(EmailField),
        role: Type.Optional(RoleName),
        emails: Type.Optional(
          Type.Array(EmailField, { minItems: 1, maxItems: 100, label: 'e-mail addresses' }),
        ),
      },
      oneOf(['email', 'emails'], 'Give either email, or emails for up to 100 people'),
    ),
    idempotent: true,
    replies: { 200: Done },
    errors: ['role-above-own', 'already-member', 'invited-often'],
  }),
  listInvitation: operation({
    method: 'POST',
    path: '/api/v1/organizations/list-invitation',
    summary: 'List invitations, newest first',
    description:
      'Of the active organization, or of another one of the caller\'s. `token` and `acceptInvitationUrl` are "" for those who may not invite.',
    chapter,
    access: { kind: 'organization', serviceTokens: true },
    body: Type.Object({
      email: Type.Optional(EmailField),
      organizationId: Type.Optional(OrganizationIdField),
      limit: Type.Optional(
        Type.Union(
          [
            Type.Integer({ minimum: 1, maximum: 100 }),
            Type.String({ pattern: '^(100|[1-9][0-9]?)$', maxLength: 3 }),
          ],
          { description: '1 to 100, as a number or its digits; 10 where not given' },
        ),
      ),
      ...cursors,
    }),
    replies: { 200: cursorPage(Invitation) },
    errors: ['organization-not-found'],
  }),
  revokeInvitation: operation({
    method: 'POST',
    path: '/api/v1/organizations/revoke-invitation',
    summary: 'Revoke an invitation that is pending',
    chapter,
    access: { kind: 'organization', permission: 'InviteUser', serviceTokens: true },
    body: Type.Object({ invitationId: Type.String({ minLength: 1, maxLength: 128 }) }),
    replies: { 200: Invitation },
    errors: ['role-above-own', 'invitation-not-found', 'invitation-not-pending'],
  }),
  showInvitation: operation({
    method: 'GET',
    path: '/auth/invitation',
    summary: 'Look at an invitation without using it up',
    chapter,
    access: { kind: 'public' },
    query: Type.Object({ token: TokenField }),
    replies: { 200: InvitationPreview },
    errors: ['invitation-not-found'],
  }),
  showInviteLink: operation({
    method: 'GET',
    path: '/auth/invite-link',
    summary: 'See which organization an invite link leads into',
    description: 'Uses nothing up. A link that was replaced is not found.',
    chapter,
    access: { kind: 'public' },
    query: Type.Object({ token: TokenField }),
    replies: { 200: Type.Object({ organizationName: Type.String() }) },
    errors: ['invite-link-not-found', 'invitation-expired'],
  }),
  acceptInvitation: operation({
    method: 'POST',
    path: '/auth/invitation/accept',
    summary: 'Accept an invitation',
    description: 'For the person whose address was invited. The organization becomes active where none was.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object({ token: TokenField }),
    replies: { 200: Member },
    errors: [
      'sign-in-method-not-accepted',
      'invalid-invite-token',
      'invitation-for-another-address',
      'membership-inactive',
      'removed',
      'not-a-member',
      'invitation-accepted',
      'invitation-expired',
      'invitation-revoked',
    ],
  }),
  joinOrganization: operation({
    method: 'POST',
    path: '/api/v1/organizations/join',
    summary: 'Join an organization by its invite link, or by an invitation',
    description:
      'Either the token of a link or an invitation, or the id of an organization whose invitation waits for the caller: where none does, there is no such organization. Whoever is a member already stays as they are; whoever left has at most the role they had, and whoever was removed needs a new invitation. An invitation that waits for the caller counts, with its role. It becomes active where none was.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object(
      { inviteToken: Type.Optional(TokenField), organizationId: Type.Optional(OrganizationIdField) },
      oneOf(['inviteToken', 'organizationId'], 'Give either inviteToken, or organizationId'),
    ),
    replies: { 200: OrganizationListItem },
    errors: [
      'sign-in-method-not-accepted',
      'organization-not-found',
      'invalid-invite-token',
      'invitation-for-another-address',
      'membership-inactive',
      'removed',
      'invitation-expired',
      'invitation-revoked',
    ],
  }),
  listAuditLog: operation({
    method: 'POST',
    path: '/api/v1/organizations/audit-log/list',
    summary: 'Read who did what, newest first',
    description:
      'All of it, or what fits each filter that is given. Go through the pages of a list with the same filters.',
    chapter,
    access: { kind: 'organization', permission: 'ReadAuditLog', serviceTokens: true },
    body: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: '1 to 100; 10 where not given' }),
      ),
      actorKind: Type.Optional(words(auditActorKinds)),
      actorId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'As `actor.id`: of a user, a token or a directory',
        }),
      ),
      action: Type.Optional(words(auditActions)),
      since: Type.Optional({ ...Moment, description: 'RFC 3339: from this moment on' }),
      until: Type.Optional({ ...Moment, description: 'RFC 3339: before this moment' }),
      ...cursors,
    }),
    replies: { 200: cursorPage(AuditEntry) },
  }),
  checkpointAuditLog: operation({
    method: 'POST',
    path: '/api/v1/organizations/audit-log/checkpoint',
    summary: 'Read where the audit trail ends, signed',
    description:
      'To be kept outside of this office: `atrium organization verify-audit --checkpoint` says later whether the trail still has that entry.',
    chapter,
    access: { kind: 'organization', permission: 'ReadAuditLog', serviceTokens: true },
    replies: { 200: AuditCheckpoint },
  }),
} as const
