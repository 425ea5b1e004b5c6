import type { SessionState } from '@atrium/client/session'
import type { Store } from '@atrium/client/store'

const PREFIX = 'atrium-own-'
/** The user that the other entries belong to. It stays when they go. */
const OWNER = 'atrium-owner'

const forgetting = new Set<() => void>()
let memory = ''

/** Calls back when the user of this tab signs out or changes, so that a page forgets what it holds of them. */
export function whenPersonGoes(forget: () => void): void {
  forgetting.add(forget)
}

/** Keeps something of the signed-in user for a reload of the tab, until they sign out. */
export function keepOfPerson(name: string, text: string): void {
  try {
    sessionStorage.setItem(PREFIX + name, text)
  } catch {
    // full or forbidden: it is kept until the page is left
  }
}

export function keptOfPerson(name: string): string | undefined {
  try {
    return sessionStorage.getItem(PREFIX + name) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps ids, as `keepOfPerson` keeps a text. */
export function keepIdsOfPerson(name: string, ids: readonly string[]): void {
  keepOfPerson(name, JSON.stringify(ids))
}

export function keptIdsOfPerson(name: string): string[] {
  try {
    const ids: unknown = JSON.parse(keptOfPerson(name) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/**
 * Forgets what the tab has kept of a user once they sign out, in whichever tab, or another user signs in: the next
 * person at this screen must not find it.
 */
export function followPerson(session: Store<SessionState>): () => void {
  const look = () => {
    const now = session.get()
    if (now.state === 'unknown') return
    const person = now.state === 'signed-in' ? now.user.id : ''
    if (person === owner()) return
    for (const forget of forgetting) forget()
    takeOver(person)
  }
  look()
  return session.subscribe(look)
}

function owner(): string {
  try {
    return sessionStorage.getItem(OWNER) ?? ''
  } catch {
    return memory
  }
}

function takeOver(person: string): void {
  memory = person
  try {
    const names = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? '')
    for (const name of names) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name)
    sessionStorage.setItem(OWNER, person)
  } catch {
    // forbidden: there is nothing in it
  }
}
