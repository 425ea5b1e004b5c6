import type { SessionState } from '@atrium/client/session'
import { createStore } from '@atrium/client/store'
import { session } from './office-client.ts'

/** Why somebody who was in the office in this tab is outside now, where it was not they who left. */
export type Ended = { what: 'session' } | { what: 'membership'; organization: string }

const store = createStore<Ended | undefined>(undefined)
let isLeaving = false
let before = session.get()

session.subscribe(() => {
  const was = before
  before = session.get()
  store.set(endOf(was, before, isLeaving) ?? (isInside(before) ? undefined : store.get()))
})

/** Until they are inside again. */
export const ended = { get: store.get, subscribe: store.subscribe }

/** Ends the session as the person wants it. Rejects as `call` does. */
export async function signOut(): Promise<void> {
  isLeaving = true
  try {
    await session.signOut()
  } finally {
    isLeaving = false
  }
}

/** What has ended between two states of the session; undefined where nothing has, or where the person wanted it. */
export function endOf(was: SessionState, now: SessionState, isLeaving: boolean): Ended | undefined {
  if (isLeaving || was.state !== 'signed-in') return undefined
  if (now.state === 'signed-out') return { what: 'session' }
  if (now.state !== 'signed-in' || !isInside(was) || isInside(now)) return undefined
  const { currentOrganizationId, organizationMemberships } = was.user
  const left = organizationMemberships.find(({ organization }) => organization.id === currentOrganizationId)
  return { what: 'membership', organization: left?.organization.name ?? '' }
}

function isInside(state: SessionState): boolean {
  return state.state === 'signed-in' && state.user.currentOrganizationId !== ''
}
