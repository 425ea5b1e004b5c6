import type { Role } from '@atrium/contract'
import type { Organization, Person, Room } from './state.ts'

export function newOrganization(id: string, name: string): Organization {
  return {
    ...{ id, name, isDeleted: false, link: undefined },
    ...{ members: new Map(), gone: new Map(), statuses: new Map(), webhooks: new Map() },
    ...{ directories: new Map(), domains: new Map() },
    ...{
      invitations: [],
      formerLinks: [],
      rooms: [],
      guestLinks: [],
      guests: [],
      tokens: [],
      conversations: [],
    },
    settings: { guestAdmission: 'admin', agents: true, language: 'en' },
  }
}

const RANKS: readonly Role[] = ['guest', 'member', 'moderator', 'admin']
export const rank = (role: Role) => RANKS.indexOf(role)
/** A role acts on lower ranks only; admins act on admins. (decisions, Roles) */
export const actsOn = (actor: Role, target: Role) => actor === 'admin' || rank(target) < rank(actor)
export const lower = (one: Role, other: Role) => (rank(one) <= rank(other) ? one : other)

/** "The last admin cannot be demoted, removed or leave." */
export function isLastAdmin({ members }: Organization, person: Person): boolean {
  const admins = [...members].filter(([, role]) => role === 'admin')
  return admins.length === 1 && admins[0]?.[0] === person
}

/** "Unlocked when the last member leaves." Its recording ends as well, at a moment that the model does not know. */
export function emptied(room: Room): void {
  room.isLocked = false
  room.timesEmpty += 1
  if (room.recording) room.recording = 'unknown'
}
