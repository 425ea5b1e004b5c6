import type { Input, Reply } from '@atrium/contract'
import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'
import { createStore, type Store } from './store.ts'

type Place = Reply<'authorizeGuest'>['body']

export type VisitState =
  /** Not asked yet. */
  | { state: 'outside' }
  /** Asking for the first time. */
  | { state: 'asking' }
  /**
   * `told`: a member who may admit the guest seems to be there. The token is good for waiting at the media server,
   * which changes the rights of a connection at admission; a later token is for a guest who is not connected (any
   * more).
   */
  | ({ state: 'waiting'; told: boolean } & Ticket)
  | ({ state: 'admitted' } & Ticket)
  /** Turned away, or put out: `error` says so in words, and when to ask again where that is possible. */
  | { state: 'denied'; error: AtriumError }
  /** The link works no more (410, 404), or is none (400). */
  | { state: 'ended'; error: AtriumError }
  /** Could not ask: the office is away, or too many wait. */
  | { state: 'failed'; error: unknown }

/** What the media server takes. */
interface Ticket {
  rtcToken: string
  url?: string
  /** Names of the bots that are in the room, and of those that will come: to be shown before a microphone opens. */
  programs: readonly string[]
  guestIdentity?: string
  /** For `createGuestChat`, once they are let in. */
  inviteId?: string
  /** The room is sealed, to the key that `sealedKey` has given. */
  sealed?: true
}

export interface GuestVisitOptions {
  /** How often the visit asks for the decision; 15 s where not given, 0: only when `check` is called. */
  askAgainMs?: number
  /** Asked where the room is sealed: the public key of this page. Where it rejects, or is not given, the visit fails. */
  sealedKey?(): Promise<string>
}

/** A guest's way into a room, by the link they were given: for the page at `/guest`. It needs no session. */
export interface GuestVisit extends Store<VisitState> {
  /** The organization and the room of the link, and until when it works. Rejects as `call` does. */
  preview(): Promise<Reply<'previewGuestInvite'>['body']>
  /**
   * Asks to be let in under a name, and goes on asking until it is decided. Called again before the first answer, it is
   * the same question. Never rejects.
   * @param participantSid the connection that the page had before it was loaded anew: then it takes nothing over from
   *   another page of the same guest, and has failed with `already-inside`
   */
  ask(guestName: string, participantSid?: string): Promise<VisitState>
  /**
   * Looks at once: call it when the media server gives other rights, or ends the connection. Before anything was asked
   * it does nothing. Never rejects.
   * @param participantSid the connection that has ended, for a ticket to come back by: as in `ask`
   */
  check(participantSid?: string): Promise<VisitState>
  close(): void
}

const ASK_AGAIN_MS = 15_000
/** A token is good for ten minutes. */
const KEEP_TOKEN_MS = 8 * 60 * 1_000

export function createGuestVisit(
  client: AtriumClient,
  inviteToken: string,
  { askAgainMs = ASK_AGAIN_MS, sealedKey }: GuestVisitOptions = {},
): GuestVisit {
  const store = createStore<VisitState>({ state: 'outside' })
  const lookNow = lookingSealed((asking) => look(client, asking), sealedKey)
  let name: string | undefined
  let turn = 0
  let tokenSince = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  const check = async (participantSid?: string): Promise<VisitState> => {
    if (name === undefined) return store.get()
    clearTimeout(timer)
    turn += 1
    const mine = turn
    const returning = participantSid && { returning: { participantSid } }
    const next = await lookNow({ inviteToken, guestName: name, ...returning })
    // a later question has been asked, or the visit is over
    if (mine !== turn) return store.get()
    const now = performance.now()
    const isKept = isSamePlace(store.get(), next) && now - tokenSince < KEEP_TOKEN_MS
    if (!isKept) {
      tokenSince = now
      store.set(next)
    }
    const wait = waitAfter(next, askAgainMs)
    if (wait !== undefined) timer = setTimeout(() => void check(), wait)
    return store.get()
  }
  return {
    get: store.get,
    subscribe: store.subscribe,
    preview: () => client.call('previewGuestInvite', { inviteToken }),
    ask: onceAtATime((guestName, participantSid) => {
      name = guestName
      store.set({ state: 'asking' })
      return check(participantSid)
    }),
    check,
    close() {
      turn += 1
      clearTimeout(timer)
    },
  }
}

/** Before the first answer there is no place that a second question could name: it would make another one. */
function onceAtATime(ask: GuestVisit['ask']): GuestVisit['ask'] {
  let asking: Promise<VisitState> | undefined
  return (...given) => {
    asking ??= ask(...given).finally(() => {
      asking = undefined
    })
    return asking
  }
}

async function look(client: AtriumClient, asking: Input<'authorizeGuest'>): Promise<VisitState> {
  try {
    return placeOf(await client.call('authorizeGuest', asking))
  } catch (error) {
    if (!(error instanceof AtriumError)) return { state: 'failed', error }
    if (error.status === 403) return { state: 'denied', error }
    // of a name that is refused too: with another one it can be asked again
    if (error.status === 404 || error.status === 410 || error.error === 'invalid')
      return { state: 'ended', error }
    return { state: 'failed', error }
  }
}

type Look = (asking: Input<'authorizeGuest'>) => Promise<VisitState>

/** Looks with the key of this page, once the office has said that the room is sealed. */
function lookingSealed(look: Look, sealedKey: GuestVisitOptions['sealedKey']): Look {
  let publicKey: string | undefined
  return async (asking) => {
    if (publicKey === undefined) {
      const found = await look(asking)
      if (!sealedKey || !wantsKey(found)) return found
      try {
        publicKey = await sealedKey()
      } catch (error) {
        return { state: 'failed', error }
      }
    }
    const found = await look({ ...asking, publicKey })
    return 'rtcToken' in found ? { ...found, sealed: true } : found
  }
}

function wantsKey(found: VisitState): boolean {
  return (
    found.state === 'failed' && found.error instanceof AtriumError && found.error.error === 'key-required'
  )
}

function placeOf({ state, told, ...ticket }: Place): VisitState {
  return state === 'admitted'
    ? { state: 'admitted', ...ticket }
    : { state: 'waiting', told: told === true, ...ticket }
}

/** A waiting guest keeps a token that still works. */
function isSamePlace(before: VisitState, next: VisitState): boolean {
  return (
    before.state === 'waiting' &&
    next.state === 'waiting' &&
    before.guestIdentity === next.guestIdentity &&
    before.told === next.told &&
    before.programs.join('\n') === next.programs.join('\n')
  )
}

/** Undefined: nothing more comes of asking. */
function waitAfter({ state, ...next }: VisitState, askAgainMs: number): number | undefined {
  if (askAgainMs <= 0) return undefined
  if (state === 'waiting') return askAgainMs
  if (state !== 'failed' || !('error' in next)) return undefined
  const refusal = next.error instanceof AtriumError ? next.error : undefined
  // what was asked wrongly is wrong the next time too
  if (refusal && refusal.status < 429) return undefined
  const wanted = (refusal?.retryAfterSeconds ?? 0) * 1_000
  // guests who were refused together do not come back together
  return wanted > askAgainMs ? wanted * (1 + Math.random() / 5) : askAgainMs
}
