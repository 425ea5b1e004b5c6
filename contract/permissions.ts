/** A member's rank in an organization, lowest first. */
export const roles = ['guest', 'member', 'moderator', 'admin'] as const
export type Role = (typeof roles)[number]

/** What a role may allow. Which role holds which is decided in the server's `access/permissions.ts`. */
export const permissions = [
  'InviteUser',
  'EditUser',
  'BanUser',
  'ReadInviteLink',
  'ResetInviteLink',
  'EditOrganization',
  'ReadAuditLog',
  'EditRoom',
  'AdmitGuest',
  'RecordRoom',
  'DeleteAnyRecording',
  'HoldRecording',
  'ManageServiceTokens',
  'ManageWebhooks',
  'ExportOrganization',
  'ManageDirectory',
  'ManageSingleSignOn',
] as const
export type Permission = (typeof permissions)[number]
