import { canSealTo } from './boxes.ts'
import { type Hello, isGuest, type SealingOffice, type SentBox } from './places.ts'
import type { Entrant } from './words.ts'

/** A person who is connected and may speak, oneself included: those whom the page shows. */
export interface PersonInside {
  identity: string
  /** As the media server names it (its SID): by another one a person is there anew, and has said nothing yet. */
  connection: string
  /** When they came, as the media server says; in milliseconds. */
  joinedAt: number
}

interface Announced {
  hello: Hello
  /** Found once: it follows from the key. */
  isSealable: Promise<boolean>
  /** The office lists that key too. */
  isKnown: boolean
}

/** Who is inside, and what they have said of themselves. */
export interface Entrants {
  /** @returns whether there was an arrival or a departure */
  setInside(people: readonly PersonInside[]): boolean
  /** Undefined where the person is not inside. */
  connectionOf(identity: string): string | undefined
  /** @returns whether the person is new, or has another key */
  announce(identity: string, hello: Hello): boolean
  /** Asks the office about those whom it has not confirmed, or about all: it may list a key no more. */
  check(office: SealingOffice, whom: 'unknown' | 'all'): Promise<void>
  /** Everybody to whom a key is sealed. */
  known(): Entrant[]
  /** Those inside who cannot be sealed to, or not yet. */
  unknown(): string[]
  /** How many members are before this one in making the next key: the member inside longest makes it. */
  turnOf(identity: string): number
  /** Whether a member is inside longer, confirmed or not yet. */
  isAfterOthers(identity: string): boolean
  recipientOf(entrant: Entrant): Omit<SentBox, 'box'>
}

export function createEntrants(): Entrants {
  let inside: readonly PersonInside[] = []
  const announced = new Map<string, Announced>()
  const connectionOf = (identity: string) => inside.find((one) => one.identity === identity)?.connection
  const isConfirmed = ({ identity }: PersonInside) => announced.get(identity)?.isKnown === true
  const unknown = () => inside.filter((person) => !isConfirmed(person)).map(({ identity }) => identity)
  return {
    setInside(people) {
      const before = inside
      inside = people
      const gone = before.filter(({ identity, connection }) => connectionOf(identity) !== connection)
      for (const { identity } of gone) announced.delete(identity)
      return gone.length > 0 || before.length !== people.length
    },
    connectionOf,
    announce(identity, hello) {
      if (!inside.some((one) => one.identity === identity)) return false
      const before = announced.get(identity)?.hello
      if (before?.publicKey === hello.publicKey && before.visit === hello.visit) return false
      announced.set(identity, { hello, isSealable: canSealTo(hello.publicKey), isKnown: false })
      return true
    },
    async check(office, whom) {
      const asked = [...announced].filter(([, one]) => whom === 'all' || !one.isKnown)
      const said = new Map(await sealable(asked))
      const known = new Set(said.size === 0 ? [] : await office.whoIsKnown(said))
      // of a key that was said since nothing is known
      for (const [identity, one] of asked) one.isKnown = known.has(identity)
    },
    known: () =>
      inside.filter(isConfirmed).map(({ identity }) => {
        const { publicKey = '', visit = '' } = announced.get(identity)?.hello ?? {}
        return { identity, publicKey, visit }
      }),
    unknown,
    turnOf(identity) {
      const members = inside.filter((one) => isConfirmed(one) && !isGuest(one.identity))
      members.sort((one, other) => one.joinedAt - other.joinedAt || (one.identity < other.identity ? -1 : 1))
      return members.findIndex((one) => one.identity === identity)
    },
    isAfterOthers(identity) {
      const own = inside.find((one) => one.identity === identity)
      return inside.some((one) => !isGuest(one.identity) && own !== undefined && one.joinedAt < own.joinedAt)
    },
    recipientOf({ identity }) {
      const deviceId = announced.get(identity)?.hello.deviceId
      return isGuest(identity) || deviceId === undefined ? { guestIdentity: identity } : { deviceId }
    },
  }
}

/** Those with keys that a box can be sealed to. */
async function sealable(asked: readonly (readonly [string, Announced])[]): Promise<[string, Hello][]> {
  const able = asked.map(
    async ([identity, { hello, isSealable }]): Promise<[string, Hello][]> =>
      (await isSealable) ? [[identity, hello]] : [],
  )
  return (await Promise.all(able)).flat()
}
