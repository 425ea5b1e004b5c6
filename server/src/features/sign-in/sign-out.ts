import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { endSession, type SessionNeeds } from '../../access/sessions/session.ts'
import type { IdentityPort } from '../../ports/identity.ts'

interface Needs extends SessionNeeds {
  identity: IdentityPort
  frontendUrl: string
}

/** Ends the session first; where the browser goes then is the smaller matter. */
export async function signOut(needs: Needs, caller: CallerOf<'signOut'>): Promise<Reply<'signOut'>> {
  await endSession(needs, caller)
  const session = caller.session.upstreamSession
  const redirectURL = needs.identity.logoutUrl({ returnTo: `${needs.frontendUrl}/`, session })
  return { status: 200, body: { authData: { redirectURL } } }
}
