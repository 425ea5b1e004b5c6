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

interface Known {
  readonly notifications: Pick<Notifications, 'position'>
  /** Organizations that had events since the last question. */
  heard: Set<string>
  readonly positions: Map<string, string>
  /** Behind all that was committed before this node listened, and of organizations that are known no more. */
  floor: string | undefined
  gaps: number
  running: Promise<boolean> | undefined
  following: Promise<boolean> | undefined
}

/**
 * The primary is asked where its log stands, on the connection that hears notifications: PostgreSQL hands over what it
 * has for a listener before it answers. Requests that come at the same time share a question.
 */
export function openPositions(notifications: Pick<Notifications, 'position'>): Positions {
  const nothing = { floor: undefined, gaps: 0, running: undefined, following: undefined }
  const known: Known = { notifications, heard: new Set(), positions: new Map(), ...nothing }
  return {
    note(organization) {
      // while no request asks, all of them are asked for together at the next question
      if (known.heard.size >= KNOWN_MAX) forget(known)
      known.heard.add(organization)
    },
    forget: () => forget(known),
    async of(organization) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        if (!(await askShared(known))) return undefined
        if (!known.heard.has(organization)) return known.positions.get(organization) ?? known.floor
      }
      return undefined
    },
  }
}

async function ask(known: Known): Promise<boolean> {
  const { positions, gaps, heard: settled } = known
  known.heard = new Set()
  const position = await known.notifications.position()
  if (known.gaps !== gaps) return false
  if (position === undefined) {
    for (const organization of settled) known.heard.add(organization)
    return false
  }
  if (positions.size + settled.size > KNOWN_MAX) {
    positions.clear()
    known.floor = position
  }
  known.floor ??= position
  for (const organization of settled) positions.set(organization, position)
  return true
}

function askShared(known: Known): Promise<boolean> {
  if (!known.running) {
    known.running = ask(known).finally(() => {
      known.running = undefined
    })
    return known.running
  }
  // one that is under way may have begun before what its caller knows of
  known.following ??= known.running.then(() => {
    known.following = undefined
    return askShared(known)
  })
  return known.following
}

function forget(known: Known): void {
  known.gaps += 1
  known.floor = undefined
  known.positions.clear()
  known.heard.clear()
}
