import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { listMemberIds } from '../../directory/members/members.ts'
import { requireMember } from '../../directory/members/require-member.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, parseUserId, type UserId } from '../../platform/ids.ts'
import { listDevicesOf } from './store.ts'

interface Needs {
  db: Db
}

/** The devices of colleagues, or of the caller, who alone sees what they are called and when they were used. */
export async function listDevices(
  { db }: Needs,
  { organization, user }: CallerOf<'listDevices'>,
  input: Input<'listDevices'>,
): Promise<Reply<'listDevices'>> {
  const devices = await listDevicesOf(db, await membersNamed(db, organization.id, input))
  return {
    status: 200,
    body: {
      devices: devices.map(({ id, user: owner, publicKey, name, createdAt, publishedAt }) => ({
        deviceId: id,
        userId: owner,
        publicKey,
        ...(owner === user.id && {
          ...{ name, createdAt: createdAt.toISOString(), publishedAt: publishedAt.toISOString() },
        }),
      })),
    },
  }
}

/** @throws Refusal not-found where the one who is named is no member; of many those who are none are left out */
async function membersNamed(
  db: Db,
  organization: OrganizationId,
  { userId, userIds }: Input<'listDevices'>,
): Promise<UserId[]> {
  if (userId !== undefined) return [(await requireMember(db, organization, userId)).id]
  const named = (userIds ?? []).flatMap((one) => parseUserId(one) ?? [])
  return (await listMemberIds(db, organization, named)).map(({ id }) => id)
}
