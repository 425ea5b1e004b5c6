import type { OperationId } from '@atrium/client'
import type { Realtime, ReceivedEvent } from '@atrium/client/realtime'
import { followDoors } from './doors/at-doors.ts'
import { outdated, queryClient } from './queries.ts'
import { shownColleague } from './shown-colleague.ts'

/** Which answers an event makes old. A screen that reads an operation adds the events that concern it. */
const MAKES_OLD: Readonly<Partial<Record<ReceivedEvent['type'], readonly OperationId[]>>> = {
  'member.joined': ['getOrganizationLimits', 'listAuditLog'],
  'member.updated': ['listAuditLog'],
  'member.removed': ['getOrganizationLimits', 'listAuditLog'],
  'organization.updated': ['listAuditLog'],
  'room.created': ['getOrganizationLimits', 'listAuditLog'],
  'room.updated': ['listAuditLog'],
  'room.deleted': ['getOrganizationLimits', 'listAuditLog', 'listRecordings'],
  'recording.changed': ['getOrganizationLimits', 'getRecording', 'listAuditLog', 'listRecordings'],
  'recording.deleted': ['getOrganizationLimits', 'getRecording', 'listAuditLog', 'listRecordings'],
  'invitation.changed': ['getOrganizationLimits', 'listAuditLog', 'listInvitation'],
  'session.ended': ['listSessions'],
  'conversation.settings': ['listThreads'],
}

/** Lets what was read follow the events of the connection. @returns what ends it */
export function followEvents(live: Realtime): () => void {
  const ends = [
    followDoors(live),
    live.on('event', ({ type }) => void outdated(...(MAKES_OLD[type] ?? []))),
    // whatever was missed before, and what has no event, is read again; a gap is told only when a connection stands
    live.on('state', ({ state }) => {
      if (state === 'connected') void queryClient.invalidateQueries()
    }),
    live.on('organization', () => {
      queryClient.clear()
      shownColleague.forget()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
