import type { Reply } from '@atrium/contract'
import { organizationChannel, userChannel } from '@atrium/contract/events'
import type { CallerOf } from '../../access/caller.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import { signToken } from '../../platform/signed-token.ts'

interface Needs {
  clock: Clock
  connectionTokens: ConnectionTokens
}

export interface ConnectionTokens {
  /** Shared with the broker. */
  key: Uint8Array
  /** Where clients connect. */
  brokerUrl: string
}

/** Also how long a removed member could at most come back with an old token. */
const LIFETIME_SECONDS = 600

/** A token for one connection to the realtime broker, as the caller in the active organization. */
export async function mintConnectionToken(
  { clock, connectionTokens }: Needs,
  { user, organization }: CallerOf<'mintConnectionToken'>,
): Promise<Reply<'mintConnectionToken'>> {
  const now = clock.now()
  const expiresAt = secondsAfter(now, LIFETIME_SECONDS)
  const claims = {
    sub: user.identityId,
    channels: [
      userChannel(organization.identityId, user.identityId),
      organizationChannel(organization.identityId),
    ],
    // handed to the subscribe proxy by the broker, never to the client
    meta: { org: organization.identityId },
  }
  const token = await signToken(claims, connectionTokens.key, { now, expiresAt })
  return {
    status: 200,
    body: { token, expiresAt: Math.floor(expiresAt.getTime() / 1_000), url: connectionTokens.brokerUrl },
  }
}
