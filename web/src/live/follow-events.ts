import type { OperationId } from '@atrium/client'
import type { Realtime } from '@atrium/client/realtime'
import { session } from './office-client.ts'
import { outdated, queryClient } from './queries.ts'

/** Which answers an event makes old. A screen that reads an operation adds the events that concern it. */
const MAKES_OLD: Readonly<Record<string, readonly OperationId[]>> = {
  'member.joined': ['listAuditLog'],
  'member.updated': ['listAuditLog'],
  'member.removed': ['listAuditLog'],
  'organization.updated': ['listAuditLog'],
  'room.created': ['listAuditLog'],
  'room.updated': ['listAuditLog'],
  'room.deleted': ['listAuditLog', 'listRecordings'],
  'recording.changed': ['listAuditLog', 'listRecordings'],
  'recording.deleted': ['listAuditLog', 'listRecordings'],
  'invitation.changed': ['listAuditLog', 'listInvitation'],
  'session.ended': ['listSessions'],
}

/** Lets what was read follow the events of the connection. @returns what ends it */
export function followEvents(live: Realtime): () => void {
  const ends = [
    live.on('event', ({ type }) => {
      void outdated(...(MAKES_OLD[type] ?? []))
      // one's own name, role or organization may be another
      if (/^(organization|member)\.updated$/.test(type)) session.refresh().catch(() => {})
    }),
    live.on('gap', () => void queryClient.invalidateQueries()),
    live.on('organization', () => queryClient.clear()),
  ]
  return () => {
    for (const end of ends) end()
  }
}
