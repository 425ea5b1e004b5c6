/** What SQL of one room names of another against the directions of imports. Each is a coupling: few, with a reason. */
export const SCHEMA_ARROWS: readonly {
  from: string
  to: string
  /** Tables and functions that are named. */
  what: readonly string[]
  reason: string
}[] = [
  {
    from: 'directory',
    to: 'server/src/features/presence',
    what: ['presence'],
    reason: 'what others see of a member is one row, read in one place: how they are and where',
  },
  {
    from: 'directory',
    to: 'server/src/features/media-events',
    what: ['media_participants'],
    reason: 'the same row says which room the member is in',
  },
  {
    from: 'server/src/features/presence',
    to: 'server/src/features/calendar',
    what: ['calendar_connections'],
    reason: 'the meetings of a calendar end with its connection: the trigger stands with its listener',
  },
  {
    from: 'server/src/features/chat',
    to: 'server/src/features/presence',
    what: ['presence'],
    reason: 'chat hides who appears offline: its status and its typing hints follow the one status',
  },
  {
    from: 'server/src/features/chat',
    to: 'server/src/features/rooms',
    what: ['rooms'],
    reason: 'a room has one conversation, with its name, as long as the room is there',
  },
  {
    from: 'server/src/features/guests',
    to: 'server/src/features/media-events',
    what: ['media_participants'],
    reason: 'a room that is empty ends the admissions of its guests, however the last stay has ended',
  },
  {
    from: 'server/src/features/chat',
    to: 'server/src/features/media-events',
    what: ['media_participants'],
    reason: 'being inside a room lets a member into its conversation',
  },
  {
    from: 'server/src/features/sign-in',
    to: 'server/src/adapters/local-identity',
    what: ['sso_connections'],
    reason:
      'enforcement follows a connection that changes, whichever statement changes it: the trigger stands with its listener',
  },
  {
    from: 'server/src/features/profile',
    to: 'server/src/features/invitations',
    what: ['waiting_invitations'],
    reason:
      'the profile shows invitations that wait beside memberships: the most frequent question of all stays one query',
  },
  {
    from: 'server/src/features/uploads',
    to: 'server/src/features/chat',
    what: ['attachments'],
    reason: 'files in the store go with the rows that name them: the trigger stands with its listener',
  },
  {
    from: 'server/src/features/push',
    to: 'server/src/features/chat',
    what: [
      'messages',
      'conversations',
      'conversation_members',
      'conversation_choices',
      'mentions',
      'thread_follows',
    ],
    reason:
      'browsers are told of messages that are not read, as they stand when it is told: the trigger stands with its listener',
  },
  {
    from: 'server/src/features/push',
    to: 'server/src/features/presence',
    what: ['presence'],
    reason: 'who has the office open, or is not to be disturbed, is not told by a browser',
  },
  {
    from: 'server/src/features/push',
    to: 'server/src/features/rooms',
    what: ['rooms'],
    reason: 'the conversation of a room is called by the name of the room',
  },
]
