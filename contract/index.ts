import { accountOperations } from './account.ts'
import { activityEvents, activityOperations } from './activity.ts'
import { agentEvents, agentOperations } from './agents.ts'
import { botOperations } from './bots.ts'
import { calendarEvents, calendarOperations } from './calendar.ts'
import { chatEvents, chatNote, chatOperations } from './chat.ts'
import { chatAttachmentOperations } from './chat-attachments.ts'
import { chatMessageEvents, chatMessageOperations } from './chat-messages.ts'
import { chatReadingEvents, chatReadingOperations } from './chat-reading.ts'
import { chatSearchOperations } from './chat-search.ts'
import { deviceKeyOperations } from './device-keys.ts'
import { directoryOperations } from './directory.ts'
import type { DataOf, EventDeclaration, ScopesOf } from './event-declaration.ts'
import type { RealtimeEvent } from './events.ts'
import { exportOperations } from './exports.ts'
import { guestChatOperations } from './guest-chat.ts'
import { guestEvents, guestOperations } from './guests.ts'
import { knockEvents, knockOperations } from './knock.ts'
import { limitOperations } from './limits.ts'
import { memberEvents, memberOperations } from './members.ts'
import { moderationOperations } from './moderation.ts'
import { notificationOperations } from './notifications.ts'
import { officeOperations } from './office.ts'
import type { InputOf, Operation, ReplyOf } from './operation.ts'
import { organizationEvents, organizationOperations } from './organizations.ts'
import { presenceEvents, presenceOperations } from './presence.ts'
import { pushOperations } from './push.ts'
import { realtimeOperations } from './realtime.ts'
import { recordingEvents } from './recording-events.ts'
import { recordingOperations } from './recordings.ts'
import { retentionOperations } from './retention.ts'
import { roomEvents, roomOperations } from './rooms.ts'
import { sealedKeyEvents, sealedKeyOperations } from './sealed-keys.ts'
import { serviceTokenOperations } from './service-tokens.ts'
import { settingsOperations } from './settings.ts'
import { signInOperations } from './sign-in.ts'
import { organizationDomainOperations, singleSignOnOperations } from './single-sign-on.ts'
import { uploadOperations } from './uploads.ts'
import { userEvents, userOperations } from './user.ts'
import { webhookOperations } from './webhooks.ts'

/** The whole table: every operation of the product by its id. */
export const operations = {
  ...officeOperations,
  ...signInOperations,
  ...userOperations,
  ...notificationOperations,
  ...deviceKeyOperations,
  ...pushOperations,
  ...accountOperations,
  ...organizationOperations,
  ...retentionOperations,
  ...settingsOperations,
  ...limitOperations,
  ...memberOperations,
  ...realtimeOperations,
  ...presenceOperations,
  ...knockOperations,
  ...uploadOperations,
  ...roomOperations,
  ...activityOperations,
  ...moderationOperations,
  ...agentOperations,
  ...guestOperations,
  ...guestChatOperations,
  ...sealedKeyOperations,
  ...recordingOperations,
  ...calendarOperations,
  ...chatOperations,
  ...chatMessageOperations,
  ...chatAttachmentOperations,
  ...chatReadingOperations,
  ...chatSearchOperations,
  ...serviceTokenOperations,
  ...botOperations,
  ...webhookOperations,
  ...exportOperations,
  ...directoryOperations,
  ...organizationDomainOperations,
  ...singleSignOnOperations,
} as const

export type Operations = typeof operations
export type OperationId = keyof Operations

// tables, not conditional types: the compiler would otherwise ask what the type of any possible schema is, a second each time
interface Inputs extends Readonly<{ [Id in OperationId]: InputOf<Operations[Id]> }> {}
interface Replies extends Readonly<{ [Id in OperationId]: ReplyOf<Operations[Id]> }> {}

/** What the handler of an operation is given. */
export type Input<Id extends OperationId> = Inputs[Id]
/** What the handler of an operation answers. */
export type Reply<Id extends OperationId> = Replies[Id]

/** The table as entries, to iterate over. */
export const operationEntries = Object.entries(operations) as [OperationId, Operation][]

/** Every event of the realtime connection by its name, which is the `type` of its envelope. */
export const realtimeEvents = {
  ...presenceEvents,
  ...knockEvents,
  ...memberEvents,
  ...organizationEvents,
  ...userEvents,
  ...calendarEvents,
  ...roomEvents,
  ...agentEvents,
  ...activityEvents,
  ...recordingEvents,
  ...guestEvents,
  ...sealedKeyEvents,
  ...chatEvents,
  ...chatMessageEvents,
  ...chatReadingEvents,
} as const

export type EventName = keyof typeof realtimeEvents

interface EventDatas extends Readonly<{ [Name in EventName]: DataOf<(typeof realtimeEvents)[Name]> }> {}

/** What an event carries. */
export type EventData<Name extends EventName> = EventDatas[Name]
/** The kinds of channels that an event may be published on. */
export type ScopeOfEvent<Name extends EventName> = ScopesOf<(typeof realtimeEvents)[Name]>

/** Any declared event in its envelope: `type` tells the shapes of `data` apart, for the compiler too. */
export type AnyRealtimeEvent = { [Name in EventName]: RealtimeEvent<Name, EventData<Name>> }[EventName]

/** The events as entries, to iterate over. */
export const eventEntries = Object.entries(realtimeEvents) as [EventName, EventDeclaration][]

/** What a chapter of the reference says beside its operations, by its name. */
export const chapterNotes: Readonly<Record<string, string>> = {
  [chatOperations.mintChatToken.chapter]: chatNote,
}

export { ACTIVITY_SECONDS } from './activity.ts'
export { DISPATCH_SECONDS } from './agents.ts'
export { type AuditAction, auditActions } from './audit.ts'
export { CHAT_DATA_PATH, CHAT_FUNCTIONS, CHAT_TABLES, chatEvents, TYPING_SECONDS } from './chat.ts'
export { conversationLevels } from './chat-reading.ts'
export { SCIM_ACCESS, SCIM_PATH } from './directory.ts'
export { type ErrorWord, errorMeanings } from './errors.ts'
export { type EventDeclaration, realtimeEvent } from './event-declaration.ts'
export { type Export, type ExportState, exportStates } from './exports.ts'
export { GUEST_MESSAGES_MAX } from './guest-chat.ts'
export { type Guest, GuestState, inviteSeconds } from './guests.ts'
export { KNOCK_MESSAGE_MAX, KNOCK_SECONDS } from './knock.ts'
export {
  type LimitDeclaration,
  type LimitName,
  type LimitScope,
  limitNames,
  organizationLimits,
  personLimitNames,
} from './limits.ts'
export { type Metric, type OfficeMetric, officeMetrics } from './metrics.ts'
export { HANDS_LOWERED } from './moderation.ts'
export { type NodeMetric, nodeMetrics } from './node-metrics.ts'
export type { NotificationSettings } from './notifications.ts'
export { type SocialProvider, socialProviders, type WayIn, waysIn } from './office.ts'
export {
  type Access,
  type BearerKind,
  type Budget,
  errorsOf,
  isSafe,
  type Method,
  methods,
  type Operation,
  statusesOf,
  takesMailedCode,
} from './operation.ts'
export { type Permission, permissions, type Role, roles } from './permissions.ts'
export {
  type ChosenStatus,
  chosenStatuses,
  NOTE_MAX,
  type PresenceRecord,
  UNTIL_MAX_DAYS,
} from './presence.ts'
export { type PushShows, pushShows } from './push.ts'
export { RecordingEndReport } from './recording-end-report.ts'
export { type Recording, recordingStates } from './recordings.ts'
export type { Retention } from './retention.ts'
export { agentDispatches, roomKinds } from './rooms.ts'
export { ROOM_KEY } from './sealed-keys.ts'
export { serviceTokenScopes } from './service-tokens.ts'
export { guestAdmissions, type OrganizationSettings, organizationLanguages } from './settings.ts'
export {
  type AuditEntry,
  auditActorKinds,
  type CalendarProvider,
  calendarProviders,
  EmailField,
  ErrorReply,
  type Invitation,
  type Member,
  MembershipStatus,
  NameField,
  type SessionUser,
  type User,
  type VisibleStatus,
  visibleStatuses,
} from './shapes.ts'
export { type SignOn, type SignOnTestOutcome, signOnTestOutcomes } from './single-sign-on.ts'
export { imageContentTypes } from './uploads.ts'
export { botEventNames, type DeliveryState, deliveryStates, webhookEventNames } from './webhooks.ts'
