/** What a service token can be made for, by chapter. */
export const OPERATIONS_BY_CHAPTER = {
  people: ['listMembers', 'getMember', 'getPresenceSnapshot', 'listInvitation', 'revokeInvitation'],
  rooms: ['createRoom'],
  recordings: ['listRecordings', 'downloadRecording', 'stopRecording', 'deleteRecording'],
  trail: ['listAuditLog', 'checkpointAuditLog'],
} as const
export type OfferedOperation = (typeof OPERATIONS_BY_CHAPTER)[keyof typeof OPERATIONS_BY_CHAPTER][number]

/** All of them. A test holds them to the contract, of which no list reaches a browser. */
export const OPERATIONS: readonly string[] = Object.values(OPERATIONS_BY_CHAPTER).flat()

/** What an endpoint can be sent, held to the contract in the same way. */
export const EVENTS: readonly string[] = [
  'member.joined',
  'member.updated',
  'member.removed',
  'profile.updated',
  'organization.updated',
  'invitation.changed',
  'room.created',
  'room.updated',
  'room.deleted',
  'room.entered',
  'room.left',
  'agent.entered',
  'agent.left',
  'recording.changed',
  'recording.deleted',
]
