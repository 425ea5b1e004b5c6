import type { Reply } from '@atrium/contract'
import { organizationChannel, userChannel } from '@atrium/contract/events'
import type { CallerOf } from '../../access/caller.ts'
import { tokenExpiry, tokenOriginOf } from '../../access/sessions/token-origin.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import { signToken } from '../../platform/secrets/signed-token.ts'

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

const LIFETIME_SECONDS = 600

/** A token for one connection to the realtime broker, as the caller in the active organization. */
export async function mintConnectionToken(
  { clock, connectionTokens }: Needs,
  caller: CallerOf<'mintConnectionToken'>,
): Promise<Reply<'mintConnectionToken'>> {
  const now = clock.now()
  const { user, organization } = caller
  const expiresAt = tokenExpiry(secondsAfter(now, LIFETIME_SECONDS), caller)
  const claims = {
    sub: user.identityId,
    channels: [
      userChannel(organization.identityId, user.identityId),
      organizationChannel(organization.identityId),
    ],
    // handed to the subscribe proxy by the broker, never to the client
    meta: { org: organization.identityId },
    // shown beside the connection to the office alone: it finds connections by this when their session ends
    info: tokenOriginOf(caller),
  }
  const token = await signToken(claims, connectionTokens.key, { now, expiresAt })
  return {
    status: 200,
    body: { token, expiresAt: Math.floor(expiresAt.getTime() / 1_000), url: connectionTokens.brokerUrl },
  }
}
