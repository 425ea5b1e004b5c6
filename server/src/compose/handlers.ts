import type { Input, OperationId, Reply } from '@atrium/contract'
import type { CallerOf } from '../access/caller.ts'
import { changeEmail } from '../features/account/change-email.ts'
import { confirmAccountDeletion } from '../features/account/confirm-account-deletion.ts'
import { confirmEmailChange } from '../features/account/confirm-email-change.ts'
import { deleteAccount } from '../features/account/delete-account.ts'
import { createBot } from '../features/bots/create-bot.ts'
import { deleteBot } from '../features/bots/delete-bot.ts'
import { listBots } from '../features/bots/list-bots.ts'
import { updateBot } from '../features/bots/update-bot.ts'
import {
  connectProviderACalendar,
  connectProviderBCalendar,
} from '../features/calendar/connection/connect-calendar.ts'
import {
  disconnectProviderACalendar,
  disconnectProviderBCalendar,
} from '../features/calendar/connection/disconnect-calendar.ts'
import {
  finalizeProviderACalendar,
  finalizeProviderBCalendar,
} from '../features/calendar/connection/finalize-calendar.ts'
import { listProviderAEvents, listProviderBEvents } from '../features/calendar/events/list-events.ts'
import { readProviderAEvents, readProviderBEvents } from '../features/calendar/events/read-events.ts'
import { listProviderACalendars, listProviderBCalendars } from '../features/calendar/list-calendars.ts'
import { createAttachmentTicket } from '../features/chat/attachments/create-attachment-ticket.ts'
import { finalizeAttachment } from '../features/chat/attachments/finalize-attachment.ts'
import { getAttachment } from '../features/chat/attachments/get-attachment.ts'
import { deleteMessage } from '../features/chat/messages/delete-message.ts'
import { editMessage } from '../features/chat/messages/edit-message.ts'
import { listMessages } from '../features/chat/messages/list-messages.ts'
import { sendMessage } from '../features/chat/messages/send-message.ts'
import { mintChatToken } from '../features/chat/mint-chat-token.ts'
import { addReaction } from '../features/chat/reactions/add-reaction.ts'
import { removeReaction } from '../features/chat/reactions/remove-reaction.ts'
import { followThread } from '../features/chat/reading/follow-thread.ts'
import { listConversations } from '../features/chat/reading/list-conversations.ts'
import { listThreads } from '../features/chat/reading/list-threads.ts'
import { markRead } from '../features/chat/reading/mark-read.ts'
import { markUnread } from '../features/chat/reading/mark-unread.ts'
import { setConversationLevel } from '../features/chat/reading/set-conversation-level.ts'
import { setDraft } from '../features/chat/reading/set-draft.ts'
import { searchMessages } from '../features/chat/search/search-messages.ts'
import { tellTyping } from '../features/chat/tell-typing.ts'
import { endDevice } from '../features/device-keys/end-device.ts'
import { listDevices } from '../features/device-keys/list-devices.ts'
import { publishDevice } from '../features/device-keys/publish-device.ts'
import { listOrganizationExports } from '../features/exports/list-organization-exports.ts'
import { listUserExports } from '../features/exports/list-user-exports.ts'
import { startOrganizationExport } from '../features/exports/start-organization-export.ts'
import { startUserExport } from '../features/exports/start-user-export.ts'
import { listGuestMessages } from '../features/guest-chat/list-guest-messages.ts'
import { sendGuestMessage } from '../features/guest-chat/send-guest-message.ts'
import { admitGuest } from '../features/guests/admit-guest.ts'
import { authorizeGuest } from '../features/guests/authorize-guest.ts'
import { inviteGuest } from '../features/guests/invites/invite-guest.ts'
import { listGuestInvites } from '../features/guests/invites/list-guest-invites.ts'
import { previewGuestInvite } from '../features/guests/invites/preview-guest-invite.ts'
import { revokeGuestInvite } from '../features/guests/invites/revoke-guest-invite.ts'
import { listGuests } from '../features/guests/lobby/list-guests.ts'
import { listWaitingGuests } from '../features/guests/lobby/list-waiting-guests.ts'
import { removeGuest } from '../features/guests/remove-guest.ts'
import { setGuestActivity } from '../features/guests/set-guest-activity.ts'
import { acceptInvitation } from '../features/invitations/accept-invitation.ts'
import { getInviteLink } from '../features/invitations/get-invite-link.ts'
import { joinOrganization } from '../features/invitations/join-organization.ts'
import { listInvitation } from '../features/invitations/list-invitation.ts'
import { resetInviteLink } from '../features/invitations/reset-invite-link.ts'
import { revokeInvitation } from '../features/invitations/revoke-invitation.ts'
import { sendInvitation } from '../features/invitations/send-invitation.ts'
import { showInvitation } from '../features/invitations/show-invitation.ts'
import { showInviteLink } from '../features/invitations/show-invite-link.ts'
import { answerKnock } from '../features/knock/answer-knock.ts'
import { cancelKnock } from '../features/knock/cancel-knock.ts'
import { knock } from '../features/knock/knock.ts'
import { knockAtRoom } from '../features/knock/knock-at-room.ts'
import { talk } from '../features/knock/talk.ts'
import { wave } from '../features/knock/wave.ts'
import { getMember } from '../features/members/get-member.ts'
import { listMembers } from '../features/members/list-members.ts'
import { removeMember, removeMembershipUser } from '../features/members/remove-member.ts'
import { updateMember, updateMembershipUser } from '../features/members/update-member.ts'
import { lowerHands } from '../features/moderation/lower-hands.ts'
import { muteInRoom } from '../features/moderation/mute-in-room.ts'
import { removeFromRoom } from '../features/moderation/remove-from-room.ts'
import { getNotificationSettings } from '../features/notifications/get-notification-settings.ts'
import { updateNotificationSettings } from '../features/notifications/update-notification-settings.ts'
import { checkpointAuditLog } from '../features/organizations/checkpoint-audit-log.ts'
import { createOrganization } from '../features/organizations/create-organization.ts'
import { deleteOrganization } from '../features/organizations/delete-organization.ts'
import { getOrganizationLimits } from '../features/organizations/get-organization-limits.ts'
import { getOrganizationRetention } from '../features/organizations/get-organization-retention.ts'
import { getOrganizationSettings } from '../features/organizations/get-organization-settings.ts'
import { listAuditLog } from '../features/organizations/list-audit-log.ts'
import { listOrganizations } from '../features/organizations/list-organizations.ts'
import { updateOrganization } from '../features/organizations/update-organization.ts'
import { updateOrganizationRetention } from '../features/organizations/update-organization-retention.ts'
import { updateOrganizationSettings } from '../features/organizations/update-organization-settings.ts'
import { confirmPresence } from '../features/presence/confirm-presence.ts'
import { getPresenceSnapshot } from '../features/presence/get-presence-snapshot.ts'
import { setPresenceStatus } from '../features/presence/set-presence-status.ts'
import { getCurrentUser } from '../features/profile/get-current-user.ts'
import { updateProfile } from '../features/profile/update-profile.ts'
import { endPushSubscription } from '../features/push/end-push-subscription.ts'
import { listPushSubscriptions } from '../features/push/list-push-subscriptions.ts'
import { subscribeToPush } from '../features/push/subscribe-to-push.ts'
import { mintConnectionToken } from '../features/realtime/mint-connection-token.ts'
import { deleteRecording } from '../features/recordings/delete-recording.ts'
import { downloadRecording } from '../features/recordings/download-recording.ts'
import { holdRecording } from '../features/recordings/hold-recording.ts'
import { listRecordings } from '../features/recordings/list-recordings.ts'
import { startRecording } from '../features/recordings/start-recording.ts'
import { stopRecording } from '../features/recordings/stop-recording.ts'
import { readTranscript } from '../features/recordings/transcript/read-transcript.ts'
import { getRecording } from '../features/recordings/watching/get-recording.ts'
import { shareRecording } from '../features/recordings/watching/share-recording.ts'
import { updateRecording } from '../features/recordings/watching/update-recording.ts'
import { describeOffice } from '../features/reference/describe-office.ts'
import { setActivity } from '../features/rooms/activity/set-activity.ts'
import { dispatchAgent } from '../features/rooms/agents/dispatch-agent.ts'
import { removeAgent } from '../features/rooms/agents/remove-agent.ts'
import { authorizeRoom } from '../features/rooms/authorize-room.ts'
import { createRoom } from '../features/rooms/create-room.ts'
import { deleteRoom } from '../features/rooms/delete-room.ts'
import { lockRoom } from '../features/rooms/doors/lock-room.ts'
import { getRoom } from '../features/rooms/get-room.ts'
import { listRooms } from '../features/rooms/list-rooms.ts'
import { openDesk } from '../features/rooms/private/open-desk.ts'
import { updateRoom } from '../features/rooms/update-room.ts'
import { createDirectoryConnection } from '../features/scim/connections/create-directory-connection.ts'
import { listDirectoryConnections } from '../features/scim/connections/list-directory-connections.ts'
import { revokeDirectoryConnection } from '../features/scim/connections/revoke-directory-connection.ts'
import { listDirectoryGroups } from '../features/scim/list-directory-groups.ts'
import { listDirectoryRefusals } from '../features/scim/refusals/list-directory-refusals.ts'
import { releaseDirectoryName } from '../features/scim/refusals/release-directory-name.ts'
import { restoreDirectoryUser } from '../features/scim/refusals/restore-directory-user.ts'
import { updateDirectoryGroup } from '../features/scim/update-directory-group.ts'
import { fetchGuestRoomKey } from '../features/sealed-keys/fetch-guest-room-key.ts'
import { fetchRoomKey } from '../features/sealed-keys/fetch-room-key.ts'
import { sendRoomKey } from '../features/sealed-keys/send-room-key.ts'
import { createServiceToken } from '../features/service-tokens/create-service-token.ts'
import { listServiceTokens } from '../features/service-tokens/list-service-tokens.ts'
import { revokeServiceToken } from '../features/service-tokens/revoke-service-token.ts'
import { finalizeMagicAuth } from '../features/sign-in/code/finalize-magic-auth.ts'
import { resendMagicAuth } from '../features/sign-in/code/resend-magic-auth.ts'
import { signIn } from '../features/sign-in/code/sign-in.ts'
import { devSignIn } from '../features/sign-in/dev-sign-in.ts'
import { claimOrganizationDomain } from '../features/sign-in/domains/claim-organization-domain.ts'
import { listOrganizationDomains } from '../features/sign-in/domains/list-organization-domains.ts'
import { removeOrganizationDomain } from '../features/sign-in/domains/remove-organization-domain.ts'
import { verifyOrganizationDomain } from '../features/sign-in/domains/verify-organization-domain.ts'
import { endSessions } from '../features/sign-in/end-sessions.ts'
import {
  continueWithProviderA,
  continueWithProviderB,
} from '../features/sign-in/federated/continue-with-provider.ts'
import { finalizeOauth } from '../features/sign-in/federated/finalize-oauth.ts'
import { listSessions } from '../features/sign-in/list-sessions.ts'
import { recoverAccess } from '../features/sign-in/recovery/recover-access.ts'
import { signOut } from '../features/sign-in/sign-out.ts'
import { adminSignUp } from '../features/sign-in/sign-up/admin-sign-up.ts'
import { memberSignUp } from '../features/sign-in/sign-up/member-sign-up.ts'
import { signUp } from '../features/sign-in/sign-up/sign-up.ts'
import { activateSingleSignOn } from '../features/sign-in/single-sign-on/activate-single-sign-on.ts'
import { deactivateSingleSignOn } from '../features/sign-in/single-sign-on/deactivate-single-sign-on.ts'
import { getSingleSignOn } from '../features/sign-in/single-sign-on/get-single-sign-on.ts'
import { removeSingleSignOn } from '../features/sign-in/single-sign-on/remove-single-sign-on.ts'
import { saveSingleSignOn } from '../features/sign-in/single-sign-on/save-single-sign-on.ts'
import { testSingleSignOn } from '../features/sign-in/single-sign-on/test-single-sign-on.ts'
import { selectOrganization } from '../features/sign-in/switching/select-organization.ts'
import { switchOrganization } from '../features/sign-in/switching/switch-organization.ts'
import {
  createAvatarUploadTicket,
  createEarlierAvatarUploadTicket,
} from '../features/uploads/create-avatar-upload-ticket.ts'
import { createLogoUploadTicket } from '../features/uploads/create-logo-upload-ticket.ts'
import {
  finalizeAvatarUpload,
  finalizeEarlierAvatarUpload,
} from '../features/uploads/finalize-avatar-upload.ts'
import { finalizeLogoUpload } from '../features/uploads/finalize-logo-upload.ts'
import { removeAvatar } from '../features/uploads/remove-avatar.ts'
import { removeLogo } from '../features/uploads/remove-logo.ts'
import { createWebhook } from '../features/webhooks/create-webhook.ts'
import { deleteWebhook } from '../features/webhooks/delete-webhook.ts'
import { listWebhookDeliveries } from '../features/webhooks/list-webhook-deliveries.ts'
import { listWebhooks } from '../features/webhooks/list-webhooks.ts'
import { replayWebhook } from '../features/webhooks/replay-webhook.ts'
import { rotateWebhook } from '../features/webhooks/rotate-webhook.ts'
import { updateWebhook } from '../features/webhooks/update-webhook.ts'
import { verifyWebhook } from '../features/webhooks/verification/verify-webhook.ts'
import type { WrittenReply } from '../platform/http/operations.ts'

/** Every operation with its handler. One that is missing, or serves another, does not compile. */
export const handlers = {
  describeOffice,
  signIn,
  devSignIn,
  signUp,
  adminSignUp,
  memberSignUp,
  resendMagicAuth,
  finalizeMagicAuth,
  continueWithProviderA,
  continueWithProviderB,
  finalizeOauth,
  selectOrganization,
  switchOrganization,
  signOut,
  getCurrentUser,
  getUserInfo: getCurrentUser,
  updateProfile,
  getNotificationSettings,
  updateNotificationSettings,
  publishDevice,
  listDevices,
  endDevice,
  subscribeToPush,
  listPushSubscriptions,
  endPushSubscription,
  listSessions,
  endSessions,
  recoverAccess,
  changeEmail,
  confirmEmailChange,
  deleteAccount,
  confirmAccountDeletion,
  listOrganizations,
  createOrganization,
  updateOrganization,
  deleteOrganization,
  getOrganizationLimits,
  getInviteLink,
  resetInviteLink,
  sendInvitation,
  listInvitation,
  revokeInvitation,
  showInvitation,
  showInviteLink,
  acceptInvitation,
  joinOrganization,
  listAuditLog,
  checkpointAuditLog,
  getOrganizationRetention,
  updateOrganizationRetention,
  getOrganizationSettings,
  updateOrganizationSettings,
  listMembers,
  getMember,
  updateMember,
  updateMembershipUser,
  removeMember,
  removeMembershipUser,
  setPresenceStatus,
  confirmPresence,
  getPresenceSnapshot,
  knock,
  talk,
  wave,
  knockAtRoom,
  lockRoom,
  setActivity,
  muteInRoom,
  removeFromRoom,
  lowerHands,
  dispatchAgent,
  removeAgent,
  openDesk,
  answerKnock,
  cancelKnock,
  mintConnectionToken,
  createAvatarUploadTicket,
  finalizeAvatarUpload,
  removeAvatar,
  createEarlierAvatarUploadTicket,
  finalizeEarlierAvatarUpload,
  createLogoUploadTicket,
  finalizeLogoUpload,
  removeLogo,
  authorizeRoom,
  createRoom,
  listRooms,
  getRoom,
  updateRoom,
  deleteRoom,
  inviteGuest,
  authorizeGuest,
  admitGuest,
  removeGuest,
  listGuestInvites,
  revokeGuestInvite,
  previewGuestInvite,
  listGuests,
  listWaitingGuests,
  sendGuestMessage,
  listGuestMessages,
  setGuestActivity,
  sendRoomKey,
  fetchRoomKey,
  fetchGuestRoomKey,
  startRecording,
  stopRecording,
  listRecordings,
  getRecording,
  updateRecording,
  shareRecording,
  downloadRecording,
  readTranscript,
  deleteRecording,
  holdRecording,
  connectProviderACalendar,
  finalizeProviderACalendar,
  listProviderACalendars,
  listProviderAEvents,
  readProviderAEvents,
  disconnectProviderACalendar,
  connectProviderBCalendar,
  finalizeProviderBCalendar,
  listProviderBCalendars,
  listProviderBEvents,
  readProviderBEvents,
  disconnectProviderBCalendar,
  mintChatToken,
  tellTyping,
  listMessages,
  sendMessage,
  editMessage,
  deleteMessage,
  createAttachmentTicket,
  finalizeAttachment,
  getAttachment,
  addReaction,
  removeReaction,
  listConversations,
  setConversationLevel,
  markRead,
  markUnread,
  setDraft,
  followThread,
  listThreads,
  searchMessages,
  createServiceToken,
  listServiceTokens,
  revokeServiceToken,
  createBot,
  listBots,
  updateBot,
  deleteBot,
  createWebhook,
  startOrganizationExport,
  listOrganizationExports,
  startUserExport,
  listUserExports,
  listWebhooks,
  updateWebhook,
  verifyWebhook,
  deleteWebhook,
  rotateWebhook,
  listWebhookDeliveries,
  replayWebhook,
  createDirectoryConnection,
  listDirectoryConnections,
  revokeDirectoryConnection,
  listDirectoryGroups,
  updateDirectoryGroup,
  listDirectoryRefusals,
  restoreDirectoryUser,
  releaseDirectoryName,
  claimOrganizationDomain,
  listOrganizationDomains,
  verifyOrganizationDomain,
  removeOrganizationDomain,
  getSingleSignOn,
  saveSingleSignOn,
  testSingleSignOn,
  activateSingleSignOn,
  deactivateSingleSignOn,
  removeSingleSignOn,
}

type Handlers = typeof handlers

/** All that any handler needs: what `office.ts` must bring. */
export type HandlerNeeds = {
  [Id in OperationId]: (needs: Parameters<Handlers[Id]>[0]) => void
}[OperationId] extends (needs: infer Needs) => void
  ? Needs
  : never

type HandlerOf<Id extends OperationId> = (
  needs: HandlerNeeds,
  caller: CallerOf<Id>,
  input: Input<Id>,
) => Promise<Reply<Id> | WrittenReply<Id>>

handlers satisfies { [Id in OperationId]: HandlerOf<Id> }
