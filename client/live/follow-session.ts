import type { Realtime, ReceivedEvent } from '../realtime.ts'
import type { Session } from '../session.ts'
import { createRefresher, type Refresher } from './refresher.ts'

/**
 * Reads the session again when events of the connection make it old: another role or name, another name of the
 * organization, or a gap in which any of these may have come. A reading that fails is repeated.
 */
export function followSession(session: Session, live: Realtime): Refresher {
  const refresher = createRefresher({
    read: session.refresh,
    onRead: () => {},
    onError: () => {},
    gatherMs: 50,
  })
  live.on('event', (event) => changesSession(session, event) && refresher.soon())
  live.on('gap', refresher.soon)
  return refresher
}

function changesSession(session: Session, event: ReceivedEvent): boolean {
  if (event.type === 'organization.updated') return true
  const now = session.get()
  const isOwn = (userId: string) => now.state === 'signed-in' && userId === now.user.id
  if (event.type === 'member.updated') return isOwn(event.data.userId)
  // their picture is told so too; what they are doing is nothing of the session's
  return event.type === 'profile.updated' && event.data.displayName !== undefined && isOwn(event.data.userId)
}
