import { ACTIVITY_SECONDS } from '@atrium/contract'
import type { Clock } from '../../../platform/clock.ts'
import { boundedCache } from '../../../platform/limits/bounded-cache.ts'

/** What a client, or the media server, says of a participant; `undefined`: it cannot tell. */
export interface Said {
  sound: 'on' | 'muted' | 'off' | undefined
  speaking: boolean
  hand: boolean
}

/** A participant of a room. `who` is a `User.id`, or `guest:<uuid>`. */
export interface Place {
  organization: string
  room: string
  who: string
}

export interface Shown extends Place, Said {}

/** How people are in rooms, as this node has heard within 15 seconds. Kept in memory alone. */
export interface ActivityBoard {
  /** A participant is so from now on, and has said it on this node. Some of it may stay as it was. */
  say(place: Place, said: Partial<Said>): void
  /** The same, said on another node: that one tells of it. */
  hear(shown: Shown): void
  /** No hand is up in a room, and for 5 seconds none goes up. */
  lowerHands(room: string): void
  /** What is known of an organization, for lists. */
  shown(organization: string): Shown[]
  /** What changed since the last call and was said here, and what has run out. */
  takeChanged(): Shown[]
  /** What was said here again since the last call: other nodes would forget it. */
  takeRepeated(): Shown[]
  /** Told whenever there is something more to take. */
  onChanged(listener: () => void): void
}

interface Entry extends Shown {
  at: number
  /** Said on this node, which tells of it. */
  own: boolean
}

/** More people are not in the rooms of one office at a time; of who is forgotten, less is known for 5 seconds. */
const KNOWN_MAX = 50_000
const LOWERED_MS = 5_000
const NOTHING: Said = { sound: undefined, speaking: false, hand: false }

export function makeActivityBoard(clock: Clock): ActivityBoard {
  const entries = boundedCache<string, Entry>(KNOWN_MAX)
  const lowered = boundedCache<string, number>(KNOWN_MAX)
  const changed = new Set<string>()
  const repeated = new Set<string>()
  const listeners: (() => void)[] = []
  const now = () => clock.now().getTime()
  const keyOf = ({ room, who }: Place) => `${room} ${who}`
  const isFresh = ({ at }: Entry) => now() - at < ACTIVITY_SECONDS * 1_000
  const isLowered = (room: string) => now() < (lowered.get(room) ?? 0)

  const put = ({ organization, room, who }: Place, said: Partial<Said>, own: boolean) => {
    const key = keyOf({ organization, room, who })
    const before = entries.get(key)
    const known = before && isFresh(before) ? before : NOTHING
    const { sound = known.sound, speaking = known.speaking, hand = known.hand } = said
    const entry = { organization, room, who, sound, speaking, hand: hand && !isLowered(room), at: now(), own }
    entries.set(key, entry)
    if (!own) return
    if (isSame(known, entry)) return void repeated.add(key)
    changed.add(key)
    for (const listener of listeners) listener()
  }
  const take = (keys: Set<string>): Shown[] => {
    const taken = [...keys].flatMap((key) => entries.get(key) ?? []).map(shownOf)
    keys.clear()
    return taken
  }
  const takeExpired = (): Shown[] => {
    const gone = [...entries.values()].filter((entry) => !isFresh(entry))
    for (const entry of gone) entries.delete(keyOf(entry))
    return gone.filter(({ own }) => own).map((entry) => ({ ...shownOf(entry), ...NOTHING }))
  }
  return {
    say: (place, said) => put(place, said, true),
    hear: (shown) => put(shown, shown, false),
    lowerHands(room) {
      lowered.set(room, now() + LOWERED_MS)
      for (const entry of [...entries.values()])
        if (entry.room === room && entry.hand) put(entry, { hand: false }, entry.own)
    },
    shown: (organization) =>
      [...entries.values()].filter((one) => one.organization === organization && isFresh(one)).map(shownOf),
    onChanged: (listener) => void listeners.push(listener),
    takeChanged: () => [...take(changed), ...takeExpired()],
    takeRepeated: () => take(repeated),
  }
}

function isSame(one: Said, other: Said): boolean {
  return one.sound === other.sound && one.speaking === other.speaking && one.hand === other.hand
}

function shownOf({ organization, room, who, sound, speaking, hand }: Entry): Shown {
  return { organization, room, who, sound, speaking, hand }
}
