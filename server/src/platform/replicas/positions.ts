import type { Notifications } from '../background/notifications.ts'

/** Carries the identity provider's id of each organization that an event of the outbox is for (`schema.sql` of platform/background). */
export const ORGANIZATION_TOLD = 'organization_told'

/** How far a replica must have come before it may answer for an organization: places in the log of the primary. */
export interface Positions {
  /** An event of the organization has been committed. */
  note(organization: string): void
  /** Notifications may have been missed: what was known of all of them says nothing more. */
  forget(): void
  /**
   * A place at or behind the last event of an organization that a client can have received when it asked. Undefined
   * where that cannot be said now: the primary answers then.
   */
  of(organization: string): Promise<string | undefined>
}

/** Organizations that are remembered one by one; of more of them the last place of all is asked for. */
const KNOWN_MAX = 10_000
/** The first question hears what was told until then; one more finds the place of what it has heard. */
const TRIES = 2

/**
 * The primary is asked where its log stands, on the connection that hears notifications: PostgreSQL hands over what it
 * has for a listener before it answers. Requests that come at the same time share a question.
 */
export function openPositions(notifications: Pick<Notifications, 'position'>): Positions {
  let heard = new Set<string>()
  const known = new Map<string, string>()
  /** Behind all that was committed before this node listened, and of organizations that are known no more. */
  let floor: string | undefined
  let gaps = 0
  let running: Promise<boolean> | undefined
  let following: Promise<boolean> | undefined

  const ask = async (): Promise<boolean> => {
    const settled = heard
    heard = new Set()
    const gapsBefore = gaps
    const position = await notifications.position()
    if (gaps !== gapsBefore) return false
    if (position === undefined) {
      for (const organization of settled) heard.add(organization)
      return false
    }
    if (known.size + settled.size > KNOWN_MAX) {
      known.clear()
      floor = position
    }
    floor ??= position
    for (const organization of settled) known.set(organization, position)
    return true
  }
  const askShared = (): Promise<boolean> => {
    if (!running) {
      running = ask().finally(() => {
        running = undefined
      })
      return running
    }
    // one that is under way may have begun before what its caller knows of
    following ??= running.then(() => {
      following = undefined
      return askShared()
    })
    return following
  }
  const forget = () => {
    gaps += 1
    floor = undefined
    known.clear()
    heard.clear()
  }
  return {
    note(organization) {
      // while no request asks, all of them are asked for together at the next question
      if (heard.size >= KNOWN_MAX) forget()
      heard.add(organization)
    },
    forget,
    async of(organization) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        if (!(await askShared())) return undefined
        if (!heard.has(organization)) return known.get(organization) ?? floor
      }
      return undefined
    },
  }
}
