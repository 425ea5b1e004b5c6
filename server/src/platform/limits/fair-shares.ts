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

/** A taken part of a share. */
export interface Lease {
  /** Gives it back. Again: nothing. */
  release(): void
}

export interface Patience {
  milliseconds: number
  /** Is given a function that ends the waiting; returns one that is called when the waiting is over. */
  untilGone?: (end: () => void) => () => void
}

export interface FairShares {
  /** At once, where the shares leave room. */
  tryTake(owner: Owner): Lease | undefined
  /** As soon as the shares leave room. @throws Refusal too-many, at once behind too many of their own, or too late */
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
  /** In the order of their turn: who was let in goes to the end. */
  members: Map<string, Member>
}

/** Most that one person waits for at the same time; one more is refused at once. */
const WAITING_MAX = 100
/** So many requests in a row of one person say that no other person is at work. */
const ALONE_AFTER = 1_000

/**
 * Keeps one person, or one organization, from holding everything of something that all need. An owner with a full share
 * waits for something of their own to be given back, while others pass. Where an organization has its share, its
 * waiting people take turns: a person who asks for much waits behind themselves. A person's share is counted in each of
 * their organizations. A person who alone has asked for a while has their organization's share: they would wait for
 * room that no other person needs.
 * @param sizesOf asked each time: an organization, and a person, may have others than before. Undefined: no
 * organization
 */
export function fairShares(sizesOf: (owner: Owner) => ShareSizes): FairShares {
  const groups = new Map<string, Group>()
  let lastPerson: string | undefined
  let inARow = 0

  const noteAsker = ({ person }: Owner) => {
    inARow = person === lastPerson ? inARow + 1 : 0
    lastPerson = person
  }
  const sizesNow = (owner: Owner): ShareSizes => {
    const sizes = sizesOf(owner)
    return inARow < ALONE_AFTER ? sizes : { ...sizes, person: sizes.organization }
  }

  const groupOf = (key: string, { organization }: Owner): Group => {
    const group = groups.get(key) ?? { organization, held: 0, members: new Map() }
    groups.set(key, group)
    return group
  }
  const memberOf = ({ members }: Group, person: string): Member => {
    const member = members.get(person) ?? { held: 0, waiting: new Set() }
    members.set(person, member)
    return member
  }
  const forgetUnused = (key: string, person: string) => {
    const group = groups.get(key)
    const member = group?.members.get(person)
    if (member && member.held === 0 && member.waiting.size === 0) group?.members.delete(person)
    if (group?.members.size === 0) groups.delete(key)
  }

  const lease = (key: string, group: Group, person: string, member: Member): Lease => {
    group.held += 1
    member.held += 1
    let isHeld = true
    return {
      release() {
        if (!isHeld) return
        isHeld = false
        group.held -= 1
        member.held -= 1
        letIn(key, group)
        forgetUnused(key, person)
      },
    }
  }
  const letIn = (key: string, group: Group) => {
    const { organization } = group
    for (const [person, member] of group.members) {
      const sizes = sizesNow({ person, organization })
      if (group.held >= sizes.organization) return
      if (member.held >= sizes.person) continue
      const [next] = member.waiting
      if (!next) continue
      member.waiting.delete(next)
      group.members.delete(person)
      group.members.set(person, member)
      next(lease(key, group, person, member))
      return letIn(key, group)
    }
  }

  const keyOf = ({ person, organization }: Owner) => organization ?? `of nobody but ${person}`

  return {
    tryTake(owner) {
      const key = keyOf(owner)
      const group = groups.get(key)
      noteAsker(owner)
      const sizes = sizesNow(owner)
      if (group && group.held >= sizes.organization) return undefined
      if ((group?.members.get(owner.person)?.held ?? 0) >= sizes.person) return undefined
      const joined = group ?? groupOf(key, owner)
      return lease(key, joined, owner.person, memberOf(joined, owner.person))
    },
    wait(owner, { milliseconds, untilGone }) {
      const key = keyOf(owner)
      const group = groupOf(key, owner)
      const { waiting } = memberOf(group, owner.person)
      if (waiting.size >= WAITING_MAX) return Promise.reject(tooManyAtOnce())
      const granted = Promise.withResolvers<Lease>()
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
        forgetUnused(key, owner.person)
        granted.reject(tooManyAtOnce())
      }
      waiting.add(grant)
      const timer = after(milliseconds, giveUp, granted.reject)
      const stopWatching = untilGone?.(giveUp)
      return granted.promise
    },
  }
}

function tooManyAtOnce(): Refusal {
  return Refusal.of('rate-limited', {
    message: 'Too many of your requests are still in progress; wait for them to finish',
    retryAfterSeconds: 1,
  })
}
