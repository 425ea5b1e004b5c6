import type { SuccessBody } from '@atrium/client'
import type { en } from '../../words/en/audit.ts'

export type AuditEntry = SuccessBody<'listAuditLog'>['data'][number]
type Words = typeof en

/** Who and what is there now; of what has gone the entry itself may know the name. */
export interface Known {
  people: readonly { id: string; displayName: string; email: string }[]
  rooms: readonly { id: string; name: string }[]
}

/** What was done, and from what to what. A newer office may know of more than has words here. */
export function whatWasDone({ action, detail }: AuditEntry, words: Words): string {
  const done = words.actions[action] ?? action
  const { from, to } = detail
  if (typeof from !== 'string' || typeof to !== 'string') return done
  return `${done}: ${words.roles[from] ?? from} → ${words.roles[to] ?? to}`
}

/** The author's name; undefined for an author unknown here. */
export function actorName({ actor }: AuditEntry, known: Known): string | undefined {
  const person = actor.kind === 'user' ? personName(actor.id, known) : undefined
  return person ?? actor.email
}

/** What it was done to, by name. */
export function targetName(entry: AuditEntry, known: Known, words: Words): string {
  const { actor, target, detail } = entry
  const { kind, id } = target
  if (kind === 'email' || kind === 'domain') return id
  const isSelf = kind === 'user' && id === actor.id
  const found = kind === 'user' ? personName(id, known) : kind === 'room' ? roomName(id, known) : undefined
  const room = kind === 'recording' ? roomName(detail.roomId, known) : undefined
  const said = [detail.email, detail.displayName, detail.name, detail.host].find(
    (one) => typeof one === 'string' && one !== '',
  )
  const name = found ?? (room && words.recordingOf(room)) ?? said ?? (isSelf ? actor.email : undefined)
  return String(name ?? words.kinds[kind] ?? kind)
}

function personName(id: unknown, { people }: Known): string | undefined {
  const person = people.find((one) => one.id === id)
  return person && (person.displayName || person.email)
}

function roomName(id: unknown, { rooms }: Known): string | undefined {
  return rooms.find((one) => one.id === id)?.name
}
