import { type Answered, type OrganizationId, type RoomId, trusted } from '../../platform/ids.ts'
import type { Connection } from './ledger.ts'

/** Brands the ids of rows, as statements of this feature name their columns. */

export function ofOrganization<Row extends { organization: string }>(
  row: Row,
): Omit<Row, 'organization'> & { organization: OrganizationId } {
  return { ...row, organization: trusted.organizationId(row.organization) }
}

export function ofRoom<Row extends { organization: string; roomId: string }>(
  row: Row,
): Omit<Row, 'organization' | 'roomId'> & { organization: OrganizationId; roomId: RoomId } {
  const { organization, roomId } = row
  return { ...row, organization: trusted.organizationId(organization), roomId: trusted.roomId(roomId) }
}

export function connectionOf(row: Answered<Connection>): Connection {
  const { userId, botId } = row
  return {
    ...ofRoom(row),
    userId: userId === null ? null : trusted.userId(userId),
    botId: botId === null ? null : trusted.userId(botId),
  }
}
