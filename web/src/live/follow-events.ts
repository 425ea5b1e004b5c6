import type { OperationId } from '@atrium/client'
import type { Realtime, ReceivedEvent } from '@atrium/client/realtime'
import { followDoors } from './doors/at-doors.ts'
import { session } from './office-client.ts'
import { outdated, queryClient } from './queries.ts'

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
}

/** Lets what was read follow the events of the connection. @returns what ends it */
export function followEvents(live: Realtime): () => void {
  const ends = [
    followDoors(live),
    live.on('event', (event) => {
      void outdated(...(MAKES_OLD[event.type] ?? []))
      if (changesSession(event)) session.refresh().catch(() => {})
    }),
    // whatever was missed before, and what has no event, is read again; a gap is told only when a connection stands
    live.on('state', ({ state }) => {
      if (state === 'connected') void queryClient.invalidateQueries()
    }),
    live.on('organization', () => queryClient.clear()),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Whether one's own role, or the name of the organization, is another. */
function changesSession(event: ReceivedEvent): boolean {
  if (event.type === 'organization.updated') return true
  const now = session.get()
  return event.type === 'member.updated' && now.state === 'signed-in' && event.data.userId === now.user.id
}
