/**
 * Who owns which table (ARCHITECTURE.md §5). The owner's folder declares its columns, and holds every statement
 * that names it.
 */
export const TABLE_OWNERS: Record<string, string> = {
  organizations: 'server/src/directory',
  users: 'server/src/directory',
  memberships: 'server/src/directory',
  membership_departures: 'server/src/directory',
  removed_addresses: 'server/src/directory',
  organization_domains: 'server/src/directory',
  organization_retention: 'server/src/directory',
  sessions: 'server/src/access',
  ended_access: 'server/src/access',
  idempotent_replies: 'server/src/access',
  bearer_tokens: 'server/src/access',
  organization_limits: 'server/src/access',
  person_limits: 'server/src/access',
  webhooks: 'server/src/features/webhooks',
  webhook_deliveries: 'server/src/features/webhooks',
  exports: 'server/src/features/exports',
  scim_users: 'server/src/features/scim',
  scim_groups: 'server/src/features/scim',
  scim_group_members: 'server/src/features/scim',
  identity_changes: 'server/src/features/identity-sync',
  identity_news: 'server/src/features/identity-sync',
  organization_foundings: 'server/src/features/organizations',
  audit_heads: 'server/src/access',
  audit_former_heads: 'server/src/access',
  audit_cuts: 'server/src/access',
  audit_entries: 'server/src/access',
  invite_links: 'server/src/features/invitations',
  invitations: 'server/src/features/invitations',
  pending_sign_ins: 'server/src/features/sign-in',
  pilot_tokens: 'server/src/features/sign-in',
  pending_sign_ups: 'server/src/features/sign-in',
  code_requests: 'server/src/features/sign-in',
  redirect_sign_ins: 'server/src/features/sign-in',
  linked_identities: 'server/src/features/sign-in',
  recovery_links: 'server/src/features/sign-in',
  sso_tests: 'server/src/features/sign-in',
  account_confirmations: 'server/src/features/account',
  sso_connections: 'server/src/adapters/local-identity',
  sso_drafts: 'server/src/adapters/local-identity',
  email_codes: 'server/src/adapters/local-identity',
  presence: 'server/src/features/presence',
  presence_revisions: 'server/src/features/presence',
  presence_poll: 'server/src/features/presence',
  presence_meetings: 'server/src/features/presence',
  knocks: 'server/src/features/knock',
  conversations: 'server/src/features/chat',
  conversation_members: 'server/src/features/chat',
  messages: 'server/src/features/chat',
  chat_presence: 'server/src/features/chat',
  reactions: 'server/src/features/chat',
  attachments: 'server/src/features/chat',
  centrifugo_outbox: 'server/src/platform',
  mail_queue: 'server/src/platform',
  work_items: 'server/src/platform',
  rate_limits: 'server/src/platform',
  readiness_probes: 'server/src/features/health',
  upload_tickets: 'server/src/features/uploads',
  replaced_images: 'server/src/features/uploads',
  rooms: 'server/src/features/rooms',
  room_departures: 'server/src/features/rooms',
  guests: 'server/src/features/guests',
  guest_invites: 'server/src/features/guests',
  recordings: 'server/src/features/recordings',
  metric_series: 'server/src/platform',
  media_events: 'server/src/features/media-events',
  media_rooms: 'server/src/features/media-events',
  media_participants: 'server/src/features/media-events',
  media_tracks: 'server/src/features/media-events',
  media_jobs: 'server/src/features/media-events',
  calendar_connections: 'server/src/features/calendar',
  calendar_switches: 'server/src/features/calendar',
  calendar_codes: 'server/src/features/calendar',
  sandbox_mails: 'server/src/sandbox',
}

/** Tables without columns in `Tables`, because no query of ours names them. */
export const SERVED_BY_A_LIBRARY: Record<string, string> = {
  rate_limits: 'rate-limiter-flexible writes its own statements',
  identity_changes: 'only nodes of the release before read it; what was in it are work items',
  mail_queue: 'only nodes of the release before write it; a trigger makes work items of its rows',
  conversations: 'statements are made from features/chat/relations.ts',
  conversation_members: 'statements are made from features/chat/relations.ts',
  messages: 'statements are made from features/chat/relations.ts',
  chat_presence: 'only functions of the database name it',
  reactions: 'nobody has access to it yet',
  attachments: 'nobody has access to it yet',
}

/** Statements outside the owner. Each is a coupling that a reader of the owner's folder does not see: few, with a reason. */
export const FOREIGN_STATEMENTS: readonly { path: string; tables: readonly string[]; reason: string }[] = [
  {
    path: 'server/src/access/sessions/session-store.ts',
    tables: ['users', 'memberships', 'organizations'],
    reason: 'who asks, as what and where is one query, made for nearly every request',
  },
  {
    path: 'server/src/access/sessions/session-endings.ts',
    tables: ['users'],
    reason:
      'whose sessions a domain that demands single sign-on ends is one statement: none is made meanwhile',
  },
  {
    path: 'server/src/access/bearers/bearer-token-store.ts',
    tables: ['organizations'],
    reason:
      'whose token it is, and whether its organization is still there, is one query for each of its calls',
  },
  {
    path: 'server/src/access/audit/audit-trail.ts',
    tables: ['users'],
    reason:
      'entries keep the id of whoever acted; the address to show beside it is read when it is asked for',
  },
  {
    path: 'server/src/features/presence/poll-store.ts',
    tables: ['users', 'memberships', 'organizations'],
    reason:
      'the poll sets all of presence against the broker, which knows outside ids only: one query a round',
  },
  {
    path: 'server/src/features/profile/profiles.ts',
    tables: [
      'users',
      'memberships',
      'organizations',
      'presence',
      'calendar_connections',
      'calendar_switches',
    ],
    reason:
      'the profile shows memberships, manual status and calendars: the most frequent question of all stays one query',
  },
  {
    path: 'server/src/features/identity-sync/identity-changes.ts',
    tables: ['users', 'memberships', 'organizations'],
    reason: 'a change is told with the names that the identity provider knows: one query for all that is due',
  },
  {
    path: 'server/src/features/scim/resources/user-store.ts',
    tables: ['users', 'memberships', 'organizations'],
    reason:
      'a directory sees everybody in its organization, and looks for one of them with each call, and for where else they are: one query',
  },
  {
    path: 'server/src/features/scim/resources/group-store.ts',
    tables: ['memberships'],
    reason: 'which role somebody has, has without groups and is given by them is read together',
  },
  {
    path: 'server/src/directory/members/members.ts',
    tables: ['presence', 'media_participants'],
    reason: 'every list of members shows how they are, and where: a page of it stays one query',
  },
]
