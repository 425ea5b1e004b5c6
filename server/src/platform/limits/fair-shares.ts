import { type Lease, outOfTime } from '../database/waiting-budget.ts'
import { Refusal } from '../refusal.ts'
import { after } from '../timing/timer.ts'

/** For whom something is held. */
export interface Owner {
  person: string
  organization?: string | undefined
}

/** How many one person, and one organization, may hold at the same time; Infinity: any number. */
export interface ShareSizes {
  person: number
  organization: number
}

export interface Patience {
  milliseconds: number
  /** Is given a function that ends the waiting; returns one that is called when the waiting is over. */
  untilGone?: (end: () => void) => () => void
}

export interface FairShares {
  /** At once, where the shares leave room. */
  tryTake(owner: Owner): Lease | undefined
  /**
   * As soon as the shares leave room.
   * @throws Refusal too-many, at once behind too many of their own, or too late
   * @throws Error of a silent database, too late behind requests of which none was answered in that time
   */
  wait(owner: Owner, patience: Patience): Promise<Lease>
}

interface Member {
  held: number
  /** In the order of asking. */
  waiting: Set<(lease: Lease) => void>
}

interface Group {
  organization: string | undefined
  held: number
  /** When the last lease was given back by an answered request, in milliseconds of this process. */
  answeredAt: number
  /** In the order of their turn: who was let in goes to the end. */
  members: Map<string, Member>
}

/** Most that one person waits for at the same time; one more is refused at once. */
const WAITING_MAX = 100
/** So many requests in a row of one person say that no other person is at work. */
const ALONE_AFTER = 1_000

/** All that is held and waited for. */
interface Shares {
  readonly sizesOf: (owner: Owner) => ShareSizes
  readonly groups: Map<string, Group>
  /** Who asked last, and how often before without anybody else. */
  lastPerson: string | undefined
  inARow: number
}

/** The place of one person in a group. */
interface Place {
  key: string
  group: Group
  person: string
  member: Member
}

/**
 * Keeps one person, or one organization, from holding everything of something that all need. An owner with a full share
 * waits for something of their own to be given back, while others pass. Where an organization has its share, its
 * waiting people take turns: a person who asks for much waits behind themselves. A person's share is counted in each of
 * their organizations. A person who alone has asked for a while has all but one of their organization's share:
 * they would wait for room that no other person needs.
 * @param sizesOf asked each time: an organization, and a person, may have others than before. Undefined: no
 * organization
 */
export function fairShares(sizesOf: (owner: Owner) => ShareSizes): FairShares {
  const groups = new Map<string, Group>()
  const shares: Shares = { sizesOf, groups, lastPerson: undefined, inARow: 0 }
  return {
    tryTake(owner) {
      const group = groups.get(keyOf(owner))
      noteAsker(shares, owner)
      const sizes = sizesNow(shares, owner)
      if (group && group.held >= sizes.organization) return undefined
      if ((group?.members.get(owner.person)?.held ?? 0) >= sizes.person) return undefined
      return lease(shares, placeOf(shares, owner))
    },
    wait: (owner, patience) => wait(shares, placeOf(shares, owner), patience),
  }
}

function noteAsker(shares: Shares, { person }: Owner): void {
  shares.inARow = person === shares.lastPerson ? shares.inARow + 1 : 0
  shares.lastPerson = person
}

function sizesNow({ sizesOf, inARow }: Shares, owner: Owner): ShareSizes {
  const sizes = sizesOf(owner)
  if (inARow < ALONE_AFTER || sizes.organization === Infinity) return sizes
  // a colleague who comes next finds room
  return { ...sizes, person: Math.max(sizes.person, sizes.organization - 1) }
}

function keyOf({ person, organization }: Owner): string {
  return organization ?? `of nobody but ${person}`
}

function placeOf({ groups }: Shares, owner: Owner): Place {
  const key = keyOf(owner)
  const { person, organization } = owner
  const group = groups.get(key) ?? { organization, held: 0, answeredAt: 0, members: new Map() }
  groups.set(key, group)
  const member = group.members.get(person) ?? { held: 0, waiting: new Set() }
  group.members.set(person, member)
  return { key, group, person, member }
}

function forgetUnused({ groups }: Shares, { key, person }: Place): void {
  const group = groups.get(key)
  const member = group?.members.get(person)
  if (member && member.held === 0 && member.waiting.size === 0) group?.members.delete(person)
  if (group?.members.size === 0) groups.delete(key)
}

function lease(shares: Shares, place: Place): Lease {
  const { group, member } = place
  group.held += 1
  member.held += 1
  let isHeld = true
  const releaseUnanswered = () => {
    if (!isHeld) return
    isHeld = false
    group.held -= 1
    member.held -= 1
    letIn(shares, place)
    forgetUnused(shares, place)
  }
  return {
    isHeld: () => isHeld,
    releaseUnanswered,
    release() {
      if (isHeld) group.answeredAt = performance.now()
      releaseUnanswered()
    },
  }
}

/** Lets in the next one of a group, who goes to its end. */
function letIn(shares: Shares, place: Place): void {
  const { key, group } = place
  const { organization } = group
  for (const [person, member] of group.members) {
    const sizes = sizesNow(shares, { person, organization })
    if (group.held >= sizes.organization) return
    if (member.held >= sizes.person) continue
    const [next] = member.waiting
    if (!next) continue
    member.waiting.delete(next)
    group.members.delete(person)
    group.members.set(person, member)
    next(lease(shares, { key, group, person, member }))
    letIn(shares, place)
    return
  }
}

function wait(shares: Shares, place: Place, { milliseconds, untilGone }: Patience): Promise<Lease> {
  const { waiting } = place.member
  if (waiting.size >= WAITING_MAX) return Promise.reject(tooManyAtOnce())
  const granted = Promise.withResolvers<Lease>()
  const since = performance.now()
  const over = () => {
    timer.stop()
    stopWatching?.()
  }
  const grant = (lease: Lease) => {
    over()
    granted.resolve(lease)
  }
  const giveUp = () => {
    if (!waiting.delete(grant)) return
    over()
    forgetUnused(shares, place)
    granted.reject(place.group.answeredAt < since ? outOfTime() : tooManyAtOnce())
  }
  waiting.add(grant)
  const timer = after(milliseconds, giveUp, granted.reject)
  const stopWatching = untilGone?.(giveUp)
  return granted.promise
}

function tooManyAtOnce(): Refusal {
  return Refusal.of('rate-limited', {
    message: 'Too many of your requests are still in progress; wait for them to finish',
    retryAfterSeconds: 1,
  })
}
