import { createStore } from '@atrium/client/store'
import { session } from '../live/office-client.ts'
import type { Call } from './call-state.ts'
import { justLeft } from './just-left.ts'

/** A call that goes on while one looks at another screen. */
export interface CallElsewhere {
  call: Call
  roomId: string
  roomName: string
  /** In which one has entered the room. */
  organizationId: string | undefined
}

const store = createStore<CallElsewhere | undefined>(undefined)
session.subscribe(leaveWhereGone)

export const callElsewhere = {
  get: store.get,
  subscribe: store.subscribe,
  /** Lets a call go on without its screen. A person who is signed out, or works for another organization, leaves it. */
  keep(next: CallElsewhere): void {
    store.set(next)
    leaveWhereGone()
  },
  /** The call of a room, for its screen that is shown again. */
  of(roomId: string): Call | undefined {
    const kept = store.get()
    return kept?.roomId === roomId && kept.call.get().phase !== 'ended' ? kept.call : undefined
  },
  forget: () => store.set(undefined),
  leave,
  /**
   * One is in one room at a time: the call that goes on is left as soon as this one stands. Where it is refused (locked,
   * full, cannot be reached), the other one goes on. @returns what ends the watch
   */
  leaveFor(next: Call): () => void {
    const look = () => {
      if (next.get().phase === 'inside' && store.get()?.call !== next) leave()
    }
    look()
    return next.subscribe(look)
  },
}

function leave(): void {
  const left = store.get()
  if (!left) return
  justLeft.note(left.roomId)
  void left.call.leave()
  store.set(undefined)
}

export function organizationNow(): string | undefined {
  const now = session.get()
  return now.state === 'signed-in' ? now.user.currentOrganizationId || undefined : undefined
}

function leaveWhereGone(): void {
  const kept = store.get()
  if (!kept || session.get().state === 'unknown') return
  const now = organizationNow()
  if (now === undefined || now !== kept.organizationId) leave()
}
