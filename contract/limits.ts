import Type from 'typebox'
import { operation } from './operation.ts'
import { nullable, words } from './shapes.ts'

const chapter = 'Organizations and invitations'

/** Of whom each has so much. */
export const limitScopes = [
  'organization',
  'person',
  'token',
  'directory-connection',
  'conversation',
  'room',
  'guest-link',
] as const
export type LimitScope = (typeof limitScopes)[number]

export interface LimitDeclaration {
  /** What the deployment gives to every organization. */
  setting: string
  /** What is counted, and in which time where it comes back. */
  unit: string
  scope: LimitScope
  /** For an operator. */
  description: string
}

const limit = (
  setting: string,
  unit: string,
  scope: LimitScope,
  description: string,
): Readonly<LimitDeclaration> => ({ setting, unit, scope, description })

/**
 * Every limit of an organization, and of what is in it, that an operator may set for one organization, and those of each
 * person for one person of it. Settings, `atrium organization limits`, docs/operations/limits.md and the web office follow this table.
 */
export const organizationLimits = {
  rooms: limit('ROOMS_PER_ORGANIZATION', 'rooms', 'organization', 'Rooms that are there.'),
  webhooks: limit('WEBHOOKS_PER_ORGANIZATION', 'webhooks', 'organization', 'Webhooks, switched off or not.'),
  'service-tokens': limit(
    'SERVICE_TOKENS_PER_ORGANIZATION',
    'tokens',
    'organization',
    'Service tokens that are not revoked.',
  ),
  bots: limit('BOTS_PER_ORGANIZATION', 'bots', 'organization', 'Bots that are there.'),
  'directory-connections': limit(
    'DIRECTORY_CONNECTIONS_PER_ORGANIZATION',
    'connections',
    'organization',
    'Connections of directories (SCIM) that are not revoked.',
  ),
  domains: limit(
    'DOMAINS_PER_ORGANIZATION',
    'domains',
    'organization',
    'Domains that are claimed, proven or not.',
  ),
  invitations: limit(
    'RATE_LIMIT_INVITATIONS_PER_ORGANIZATION',
    'invitations/day',
    'organization',
    'Invitations that all its people send.',
  ),
  'invitations-per-person': limit(
    'RATE_LIMIT_INVITATIONS_PER_USER',
    'invitations/hour',
    'person',
    'Invitations that one person sends.',
  ),
  exports: limit(
    'RATE_LIMIT_EXPORTS_PER_ORGANIZATION',
    'archives/day',
    'organization',
    'Archives of the organization that its admins have made.',
  ),
  'sign-on-trials': limit(
    'RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION',
    'trials/hour',
    'organization',
    'Looks for DNS records of its domains, and test sign-ins.',
  ),
  'logo-uploads': limit('LOGO_UPLOAD_TRIES', 'uploads/day', 'organization', 'Uploads of a logo.'),
  'logo-bytes': limit(
    'RATE_LIMIT_UPLOAD_BYTES_PER_USER',
    'bytes/hour',
    'organization',
    'Bytes of logos. An upload ticket counts as 8 MiB until its image is judged.',
  ),
  'calls-per-person': limit(
    'RATE_LIMIT_PER_USER',
    'calls/minute',
    'person',
    'Calls that one person makes at work in the organization. Counted by each node.',
  ),
  'calls-per-token': limit(
    'RATE_LIMIT_PER_TOKEN',
    'calls/minute',
    'token',
    'Calls with one service token, or of one bot. Counted by each node.',
  ),
  'token-calls': limit(
    'RATE_LIMIT_TOKENS_PER_ORGANIZATION',
    'calls/minute',
    'organization',
    'Calls with all service tokens and of all bots together. Counted by each node.',
  ),
  'calls-per-directory': limit(
    'RATE_LIMIT_PER_DIRECTORY',
    'calls/minute',
    'directory-connection',
    'SCIM calls of one directory connection. Counted by each node.',
  ),
  'requests-under-way': limit(
    'REQUESTS_UNDER_WAY_PER_ORGANIZATION',
    'requests',
    'organization',
    'Requests that one node works on at the same time.',
  ),
  'requests-under-way-per-person': limit(
    'REQUESTS_UNDER_WAY_PER_USER',
    'requests',
    'person',
    'The same for one person, or one program.',
  ),
  'knocks-per-person': limit(
    'RATE_LIMIT_KNOCKS_PER_USER',
    'knocks/minute',
    'person',
    'Knocks of one person for colleagues.',
  ),
  'messages-per-person': limit(
    'RATE_LIMIT_MESSAGES_PER_USER',
    'messages/minute',
    'person',
    'Messages that one person sends.',
  ),
  'messages-per-conversation': limit(
    'RATE_LIMIT_MESSAGES_PER_CONVERSATION',
    'messages/10 s',
    'person',
    'Messages that one person sends to one conversation.',
  ),
  'groups-per-person': limit(
    'RATE_LIMIT_GROUPS_PER_USER',
    'groups/minute',
    'person',
    'Groups that one person makes.',
  ),
  'people-per-group': limit(
    'PEOPLE_PER_GROUP',
    'people',
    'conversation',
    'People in a new group, besides whoever makes it.',
  ),
  'reactions-per-person': limit(
    'RATE_LIMIT_REACTIONS_PER_USER',
    'reactions/minute',
    'person',
    'Reactions to messages that one person gives, what is given again or refused included.',
  ),
  'edit-minutes': limit(
    'CHAT_EDIT_MINUTES',
    'minutes',
    'person',
    'How long after sending a message its author may change or delete it.',
  ),
  'file-bytes': limit(
    'RATE_LIMIT_FILE_BYTES_PER_ORGANIZATION',
    'bytes/day',
    'organization',
    'Bytes of files that all its people put into conversations.',
  ),
  'file-bytes-per-person': limit(
    'RATE_LIMIT_FILE_BYTES_PER_USER',
    'bytes/hour',
    'person',
    'Bytes of files that one person puts into conversations.',
  ),
  'guests-per-room': limit(
    'GUESTS_WAITING_PER_ROOM',
    'guests',
    'room',
    'Guests who wait before one room at a time.',
  ),
  'guests-per-link': limit(
    'GUESTS_WAITING_PER_INVITE',
    'guests',
    'guest-link',
    'Guests of one link who wait at a time.',
  ),
} as const satisfies Record<string, LimitDeclaration>

export type LimitName = keyof typeof organizationLimits
export const limitNames = Object.keys(organizationLimits) as LimitName[]
/** Those that may be set for one person of an organization too. */
export const personLimitNames = limitNames.filter((name) => organizationLimits[name].scope === 'person')

const OrganizationLimit = Type.Object(
  {
    name: words(limitNames),
    limit: Type.Integer({ description: '0: there is none' }),
    used: nullable(
      Type.Integer({
        description:
          'Now; where each person, room or link has so much, by whichever has used most. Null: not counted, for it comes back within a minute, or is not of this organization alone',
      }),
    ),
    unit: Type.String({ description: 'What is counted, and in which time it comes back: `invitations/day`' }),
    scope: words(limitScopes, { description: 'Of whom each has so much' }),
  },
  { title: 'OrganizationLimit' },
)

export const limitOperations = {
  getOrganizationLimits: operation({
    method: 'POST',
    path: '/api/v1/organizations/limits/get',
    summary: 'Read the limits of the organization, and how much of each is used',
    description: 'They are set by whoever operates the office: `atrium organization limits`.',
    chapter,
    access: { kind: 'organization', permission: 'EditOrganization' },
    replies: { 200: Type.Object({ limits: Type.Array(OrganizationLimit) }) },
  }),
} as const
