/** What a service token can be made for. A test holds it to the contract, of which no list reaches a browser. */
export const OPERATIONS: readonly string[] = [
  'listMembers',
  'getMember',
  'getPresenceSnapshot',
  'listInvitation',
  'revokeInvitation',
  'createRoom',
  'listRecordings',
  'downloadRecording',
  'stopRecording',
  'deleteRecording',
  'listAuditLog',
  'checkpointAuditLog',
]

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
  'recording.changed',
  'recording.deleted',
]
