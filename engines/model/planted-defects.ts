import type { Chapter } from './rules/every-rule.ts'

export interface PlantedDefect {
  name: string
  file: string
  /** A text that the file has once, and what takes its place. */
  from: string
  to: string
  /** Chapters of the rules that its stories are of: among all of them it would take long. */
  about: readonly Chapter[]
}

/** Ten defects as they happen. They are planted into an office as its source is read, and nowhere else. */
export const plantedDefects: readonly PlantedDefect[] = [
  {
    name: 'a moderator acts on moderators',
    file: 'server/src/access/permissions.ts',
    from: 'rankOf(target) < rankOf(actor)',
    to: 'rankOf(target) <= rankOf(actor)',
    about: ['members'],
  },
  {
    name: 'the last admin may go',
    file: 'server/src/features/members/rules.ts',
    from: "return target === 'admin' && admins <= 1",
    to: "return target === 'guest' && admins <= 1",
    about: ['members'],
  },
  {
    name: 'one grants a role above one’s own',
    file: 'server/src/access/permissions.ts',
    from: 'return rankOf(granted) <= rankOf(actor)',
    to: 'return rankOf(granted) <= rankOf(actor) + 1',
    about: ['invitations'],
  },
  {
    name: 'whoever was removed comes back by the link',
    file: 'server/src/access/admission.ts',
    from: "return departure.kind === 'removed' ? 'removed' : lowerRole(offered, departure.role)",
    to: 'return lowerRole(offered, departure.role)',
    about: ['members', 'invitations'],
  },
  {
    name: 'colleagues see who is invisible',
    file: 'server/src/features/presence/rules.ts',
    from: "return status === 'appear_offline' ? 'offline' : status",
    to: "return status === 'appear_offline' ? 'online' : status",
    about: ['sessions', 'accidents'],
  },
  {
    name: 'a knock disturbs who is busy',
    file: 'server/src/features/knock/reach.ts',
    from: "return ['online', 'away'].includes(",
    to: "return ['online', 'away', 'busy'].includes(",
    about: ['sessions', 'knocks'],
  },
  {
    name: 'a decision on a guest is answered as if it held',
    file: 'server/src/features/guests/admit-guest.ts',
    from: "throw Refusal.of('already-decided')",
    to: 'return guest',
    about: ['rooms', 'guests'],
  },
  {
    name: 'an admin revokes tokens of another organization',
    file: 'server/src/access/bearers/bearer-token-store.ts',
    from: ".where('organization_id', '=', organization)\n    .where('kind', '=', kind)\n    .where('id', '=', id)",
    to: ".where('kind', '=', kind)\n    .where('id', '=', id)",
    about: ['tokens'],
  },
  {
    name: 'anybody opens a locked room from outside',
    file: 'server/src/features/rooms/doors/lock-room.ts',
    from: "!locked && roleHolds(role, 'EditRoom')",
    to: '!locked',
    about: ['rooms'],
  },
  {
    name: 'sessions outlive a week without use',
    file: 'server/src/access/sessions/session-rules.ts',
    from: 'SESSION_IDLE_SECONDS = 7 * DAY_SECONDS',
    to: 'SESSION_IDLE_SECONDS = 27 * DAY_SECONDS',
    about: ['anybody', 'accidents'],
  },
]
