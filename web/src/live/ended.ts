import { organizationsOf, type SessionState, type User } from '@atrium/client/session'
import { createStore } from '@atrium/client/store'
import { session } from './office-client.ts'
import { leavingUnsent } from './unsent.ts'

/** Why a person who was in the office in this tab is outside now: by choice, or not. */
export type Ended =
  | { what: 'signed-out' | 'account-deleted' | 'session' }
  | { what: 'membership'; organization: string }
type Leaving = 'signed-out' | 'account-deleted'
type MembershipEnd = Extract<Ended, { what: 'membership' }>

const store = createStore<Ended | undefined>(undefined)
let leaving: Leaving | undefined
/** Set where a removed member has no other organization: the page signs them out. */
let removed: MembershipEnd | undefined
let before = session.get()

session.subscribe(() => {
  const was = before
  before = session.get()
  const end = endOf(was, before, leaving ?? removed)
  store.set(end ?? (isInside(before) ? undefined : store.get()))
  if (end?.what === 'membership' && before.state === 'signed-in' && !isAnywhere(before.user))
    void signOutRemoved(end)
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

/** Where the office does not answer they are nowhere all the same: the next page says so. */
async function signOutRemoved(end: MembershipEnd): Promise<void> {
  removed = end
  try {
    await session.signOut().catch(() => {})
  } finally {
    removed = undefined
  }
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
export function endOf(
  was: SessionState,
  now: SessionState,
  why: Leaving | MembershipEnd | undefined,
): Ended | undefined {
  if (was.state !== 'signed-in') return undefined
  if (now.state === 'signed-out') return typeof why === 'object' ? why : { what: why ?? 'session' }
  if (now.state !== 'signed-in' || !isInside(was) || isInside(now)) return undefined
  const { currentOrganizationId, organizationMemberships } = was.user
  const left = organizationMemberships.find(({ organization }) => organization.id === currentOrganizationId)
  return { what: 'membership', organization: left?.organization.name ?? '' }
}

/** In another organization, invited to one, or of one that has moved: the first screen says where. */
function isAnywhere(user: User): boolean {
  const { active, waiting } = organizationsOf(user)
  return active.length + waiting.length + (user.moved ?? []).length > 0
}

function isInside(state: SessionState): boolean {
  return state.state === 'signed-in' && state.user.currentOrganizationId !== ''
}
