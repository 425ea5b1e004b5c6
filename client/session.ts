import type { User } from '@atrium/contract'
import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'
import { createStore, type Store } from './store.ts'

export type { User } from '@atrium/contract'

export type SessionState =
  /** Not asked yet. */
  { state: 'unknown' } | { state: 'signed-out' } | { state: 'signed-in'; user: User }

export interface SessionOptions {
  /**
   * Tells the other tabs of this browser that the session has changed, and hears it from them. Where not given: in
   * pages, not elsewhere.
   */
  tabs?: boolean
  /**
   * Asked before the office is asked for the session: where it answers false, there is none. So a page without a
   * session sends no request that is refused, which the browser's console would show.
   */
  isAnybody?: () => Promise<boolean>
}

/** Who is signed in. All of its promises reject as `call` does. */
export interface Session extends Store<SessionState> {
  /** Asks the office who is signed in: at the start, after a sign-in, and after changes of the profile. */
  refresh(): Promise<SessionState>
  /** Works in another organization from now on; what was read of the one before is void. */
  switchOrganization(organizationId: string): Promise<SessionState>
  /** Accepts the invitation of an organization that waits for this person, and works there from then on. */
  acceptWaiting(organizationId: string): Promise<SessionState>
  /** Ends the session. @returns where the identity provider signs out, for a page that sends the person there */
  signOut(): Promise<{ redirectURL: string }>
  /** Ends every other session of this person, on all their devices. */
  signOutOthers(): Promise<void>
  /**
   * Mails a code to the address of the account and one to the new one; also where another account has it, when no code
   * works.
   * @returns until when they work
   */
  changeEmail(email: string): Promise<Date>
  /** Uses the new address from now on. Every other session of this person ends. @param codes from both mails */
  confirmEmailChange(codes: { code: string; newCode: string }): Promise<SessionState>
  /** Mails the code without which no account is deleted. @returns until when it works */
  deleteAccount(): Promise<Date>
  /** Deletes the account for good, and is signed out. @param code from the mail */
  confirmAccountDeletion(code: string): Promise<void>
  /** Is signed out because the office has told that the session ended: it is not asked, so it refuses nothing. */
  ended(): void
  close(): void
}

const CHANNEL = 'atrium-session'
const SIGNED_OUT: SessionState = { state: 'signed-out' }

export function createSession(client: AtriumClient, options: SessionOptions = {}): Session {
  const store = createStore<SessionState>({ state: 'unknown' })
  const inPage = typeof document !== 'undefined' && typeof BroadcastChannel !== 'undefined'
  const tabs = (options.tabs ?? inPage) ? new BroadcastChannel(CHANNEL) : undefined
  const isAnybody = options.isAnybody ?? (async () => true)
  const tellTabs = () => tabs?.postMessage('changed')
  let turns = 0
  const read = async (): Promise<SessionState> => {
    turns += 1
    const turn = turns
    const next = (await isAnybody()) ? await whoIs(client) : SIGNED_OUT
    // an older question that is answered later says what no longer holds
    if (turn === turns) store.set(next)
    return next
  }
  const changed = async (): Promise<SessionState> => {
    const before = store.get()
    const next = await read()
    if (before.state !== 'unknown' && keyOf(before) !== keyOf(next)) tellTabs()
    return next
  }
  const signedOut = () => {
    turns += 1
    store.set(SIGNED_OUT)
    tellTabs()
  }
  if (tabs) tabs.onmessage = () => void read().catch(() => {})

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: changed,
    ...organizationOf(client, changed),
    async signOut() {
      const { authData } = await client.call('signOut')
      signedOut()
      return authData
    },
    ...accountOf(client, { read, signedOut, tellTabs }),
    ended() {
      turns += 1
      store.set(SIGNED_OUT)
    },
    close: () => tabs?.close(),
  }
}

/** Where a session works: in another organization from then on. */
function organizationOf(
  client: AtriumClient,
  changed: () => Promise<SessionState>,
): Pick<Session, 'switchOrganization' | 'acceptWaiting'> {
  const switchOrganization = async (organizationId: string) => {
    const { email } = await client.call('getCurrentUser')
    await client.call('switchOrganization', { email, organizationId })
    return await changed()
  }

  return {
    switchOrganization,
    async acceptWaiting(organizationId) {
      await client.call('joinOrganization', { organizationId })
      const now = await changed()
      const isThere = now.state !== 'signed-in' || now.user.currentOrganizationId === organizationId
      return isThere ? now : await switchOrganization(organizationId)
    },
  }
}

/** What is done to an account, and what the session is afterwards. */
function accountOf(
  client: AtriumClient,
  session: { read(): Promise<SessionState>; signedOut(): void; tellTabs(): void },
): Pick<
  Session,
  'signOutOthers' | 'changeEmail' | 'confirmEmailChange' | 'deleteAccount' | 'confirmAccountDeletion'
> {
  return {
    async signOutOthers() {
      await client.call('endSessions', { others: true })
    },
    async changeEmail(email) {
      return new Date((await client.call('changeEmail', { email })).expiresAt)
    },
    async confirmEmailChange(codes) {
      await client.call('confirmEmailChange', codes)
      const next = await session.read()
      // for the other tabs it is the same session, of a person with another address
      session.tellTabs()
      return next
    },
    async deleteAccount() {
      return new Date((await client.call('deleteAccount')).expiresAt)
    },
    async confirmAccountDeletion(code) {
      await client.call('confirmAccountDeletion', { code })
      session.signedOut()
    },
  }
}

/** An organization of a person, as a menu names it. */
export type OrganizationOf = User['organizationMemberships'][number]['organization']

/**
 * The organizations that a person may work in, and those with an invitation that waits: a menu of the first must not
 * offer the second, which `acceptWaiting` is for.
 */
export function organizationsOf({ organizationMemberships }: Pick<User, 'organizationMemberships'>): {
  active: OrganizationOf[]
  waiting: OrganizationOf[]
} {
  const having = (wanted: string) =>
    organizationMemberships.filter(({ status }) => status === wanted).map(({ organization }) => organization)
  return { active: having('active'), waiting: having('pending') }
}

async function whoIs(client: AtriumClient): Promise<SessionState> {
  try {
    return { state: 'signed-in', user: await client.call('getCurrentUser') }
  } catch (error) {
    if (error instanceof AtriumError && error.status === 401) return SIGNED_OUT
    throw error
  }
}

/** What makes it another session for the other tabs: its person, and its organization. */
function keyOf(state: SessionState): string {
  return state.state === 'signed-in' ? `${state.user.id} ${state.user.currentOrganizationId}` : state.state
}
