import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireMember } from '../../directory/members/require-member.ts'
import type { Db } from '../../platform/database/database.ts'
import { listDevicesOf } from './store.ts'

interface Needs {
  db: Db
}

/** The devices of a colleague, or of the caller, who alone sees what they are called and when they were used. */
export async function listDevices(
  { db }: Needs,
  { organization, user }: CallerOf<'listDevices'>,
  { userId }: Input<'listDevices'>,
): Promise<Reply<'listDevices'>> {
  const member = await requireMember(db, organization.id, userId)
  const isOwn = member.id === user.id
  const devices = await listDevicesOf(db, member.id)
  return {
    status: 200,
    body: {
      devices: devices.map(({ id, publicKey, name, createdAt, publishedAt }) => ({
        deviceId: id,
        publicKey,
        ...(isOwn && { name, createdAt: createdAt.toISOString(), publishedAt: publishedAt.toISOString() }),
      })),
    },
  }
}
