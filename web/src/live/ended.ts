import type { SessionState } from '@atrium/client/session'
import { createStore } from '@atrium/client/store'
import { session } from './office-client.ts'
import { leavingUnsent } from './unsent.ts'

/** Why somebody who was in the office in this tab is outside now: by themselves, or not. */
export type Ended =
  | { what: 'signed-out' | 'account-deleted' | 'session' }
  | { what: 'membership'; organization: string }
type Leaving = 'signed-out' | 'account-deleted'

const store = createStore<Ended | undefined>(undefined)
let leaving: Leaving | undefined
let before = session.get()

session.subscribe(() => {
  const was = before
  before = session.get()
  store.set(endOf(was, before, leaving) ?? (isInside(before) ? undefined : store.get()))
})

/** Until they are inside again. */
export const ended = { get: store.get, subscribe: store.subscribe }

/**
 * Ends the session as the person wants it, after having asked where messages are not sent yet. Rejects as `call` does.
 * @returns false: they stay
 */
export async function signOut(): Promise<boolean> {
  return await leavingUnsent(personNow(), () => leaveBy(session.signOut, 'signed-out'))
}

/** The same with the account. @param code from the mail */
export async function deleteAccount(code: string): Promise<void> {
  const person = personNow()
  await leaveBy(() => session.confirmAccountDeletion(code), 'account-deleted')
  if (person === undefined) return
  const { forgetUnsent } = await import('@atrium/client/outbox')
  await forgetUnsent(person)
}

function personNow(): string | undefined {
  const now = session.get()
  return now.state === 'signed-in' ? now.user.id : undefined
}

async function leaveBy(way: () => Promise<unknown>, what: Leaving): Promise<void> {
  leaving = what
  try {
    await way()
  } finally {
    leaving = undefined
  }
}

/** What has ended between two states of the session, and by whom; undefined where nothing has. */
export function endOf(was: SessionState, now: SessionState, leaving: Leaving | undefined): Ended | undefined {
  if (was.state !== 'signed-in') return undefined
  if (now.state === 'signed-out') return { what: leaving ?? 'session' }
  if (now.state !== 'signed-in' || !isInside(was) || isInside(now)) return undefined
  const { currentOrganizationId, organizationMemberships } = was.user
  const left = organizationMemberships.find(({ organization }) => organization.id === currentOrganizationId)
  return { what: 'membership', organization: left?.organization.name ?? '' }
}

function isInside(state: SessionState): boolean {
  return state.state === 'signed-in' && state.user.currentOrganizationId !== ''
}
