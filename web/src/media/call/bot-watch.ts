import type { WritableStore } from '@atrium/client/store'
import type { CallState, PersonInCall } from '../call-state.ts'

/** For so long the office awaits a bot that was asked (two minutes), with the time of coming in. */
const AWAITED_MS = 150_000

/** Which bots the person of a call knows of. */
export interface BotWatch {
  /**
   * The office names those that are in the room, and those that will come, before one enters.
   * @param seen those that were shown to the person before; undefined: none were, and the call shows them as it begins
   */
  tell(names: readonly string[], seen: readonly string[] | undefined): void
  /** Looks for bots that have come in without being named before. */
  look(): void
  /** The person has seen them. */
  heed(): void
}

/** @param onNew called where a bot has come in that the person does not know of: `newBots` of the state names it */
export function createBotWatch(store: WritableStore<CallState>, onNew: () => void): BotWatch {
  /** Their connections, by their ids. */
  const known = new Map<string, ReadonlySet<string>>()
  let awaited: string[] = []
  let awaitedUntil = 0
  const add = (names: readonly string[]) =>
    store.update((state) => ({ ...state, newBots: [...new Set([...state.newBots, ...names])] }))
  /** One that was named before comes in once by that. One that has left meanwhile comes anew. */
  const isNew = ({ identity, botId, name, sid }: PersonInCall) => {
    const isAwaited = awaited.length > 0 && Date.now() <= awaitedUntil
    // a worker is most likely the one that was named: in a moment the office says whether it is
    if (botId === undefined && isAwaited && !known.has(identity)) return false
    const id = botId ?? identity
    const before = known.get(id) ?? known.get(identity)
    known.delete(identity)
    known.set(id, new Set([...(before ?? []), sid]))
    if (before) return false
    if (!isAwaited || !awaited.includes(name)) return true
    awaited = awaited.toSpliced(awaited.indexOf(name), 1)
    return false
  }
  return {
    tell(names, seen) {
      known.clear()
      awaited = [...names]
      awaitedUntil = Date.now() + AWAITED_MS
      if (seen) add(names.filter((name) => !seen.includes(name)))
      else store.update((state) => ({ ...state, toldBots: names }))
    },
    look() {
      const { phase, bots } = store.get()
      // as long as the connection is away, nothing is known of who is there
      if (phase !== 'inside') return
      // one of whom no connection is left has gone, also where one's own connection was away
      const here = new Set(bots.map(({ sid }) => sid))
      for (const [id, sids] of known) if (![...sids].some((sid) => here.has(sid))) known.delete(id)
      const came = bots.filter(isNew).map(({ name }) => name)
      if (came.length === 0) return
      add(came)
      onNew()
    },
    heed: () => store.update((state) => ({ ...state, toldBots: [], newBots: [] })),
  }
}
