import {
  auditChapter,
  auditCutChapter,
  auditHeadChapter,
  sessionsChapter,
  tokensChapter,
} from '../../access/archive-chapters.ts'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'
import {
  departuresChapter,
  domainsChapter,
  membershipsChapter,
  organizationChapter,
  peopleChapter,
  removedAddressesChapter,
  retentionChapter,
  settingsChapter,
} from '../../directory/archive-chapters.ts'
import {
  calendarConnectionsChapter,
  calendarSwitchChapter,
} from '../../features/calendar/archive-chapters.ts'
import {
  attachmentsChapter,
  chatPresenceChapter,
  conversationChoicesChapter,
  conversationMembersChapter,
  conversationsChapter,
  mentionsChapter,
  messagesChapter,
  reactionsChapter,
  threadFollowsChapter,
} from '../../features/chat/archive-chapters.ts'
import { deviceKeysChapter } from '../../features/device-keys/archive-chapters.ts'
import { guestInvitesChapter, guestsChapter } from '../../features/guests/archive-chapters.ts'
import { invitationsChapter } from '../../features/invitations/archive-chapters.ts'
import { visitsChapter } from '../../features/media-events/archive-chapters.ts'
import { notificationSettingsChapter } from '../../features/notifications/archive-chapters.ts'
import { meetingsChapter, presenceChapter } from '../../features/presence/archive-chapters.ts'
import { pushSubscriptionsChapter } from '../../features/push/archive-chapters.ts'
import { recordingsChapter } from '../../features/recordings/archive-chapters.ts'
import { roomsChapter } from '../../features/rooms/archive-chapters.ts'
import { directoryViewsChapter } from '../../features/scim/archive-chapters.ts'
import { identitiesChapter } from '../../features/sign-in/archive-chapters.ts'
import { webhooksChapter } from '../../features/webhooks/archive-chapters.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'

/** What archives hold, in the order in which it can be stored again: nothing names what comes after it. */
export function archiveChapters({ invitationRing }: { invitationRing: KeyRing }): readonly ArchiveChapter[] {
  return [
    ...[organizationChapter, peopleChapter, membershipsChapter, departuresChapter, domainsChapter],
    ...[removedAddressesChapter, retentionChapter, settingsChapter],
    ...[
      calendarSwitchChapter,
      roomsChapter,
      conversationsChapter,
      messagesChapter,
      conversationMembersChapter,
      reactionsChapter,
      mentionsChapter,
      attachmentsChapter,
    ],
    ...[invitationsChapter(invitationRing), guestInvitesChapter, guestsChapter, recordingsChapter],
    ...[auditChapter, auditHeadChapter, auditCutChapter, tokensChapter, webhooksChapter],
    // a person's own
    ...[identitiesChapter, sessionsChapter, calendarConnectionsChapter, presenceChapter, meetingsChapter],
    ...[
      conversationChoicesChapter,
      threadFollowsChapter,
      notificationSettingsChapter,
      pushSubscriptionsChapter,
      deviceKeysChapter,
    ],
    ...[chatPresenceChapter, visitsChapter, directoryViewsChapter],
  ]
}
