import type { Rule } from '../rule.ts'
import { accidentRules } from './accidents.ts'
import { anybodyRules } from './anybody.ts'
import { chatRules } from './chat.ts'
import { guestRules } from './guests.ts'
import { invitationRules } from './invitations.ts'
import { knockRules } from './knocks.ts'
import { memberRules } from './members.ts'
import { organizationRules } from './organizations.ts'
import { roomRules } from './rooms.ts'
import { sessionRules } from './sessions.ts'
import { tokenRules } from './tokens.ts'

/** By what they are about. */
export const ruleBook = {
  sessions: sessionRules,
  members: memberRules,
  organizations: organizationRules,
  invitations: invitationRules,
  rooms: roomRules,
  guests: guestRules,
  knocks: knockRules,
  chat: chatRules,
  tokens: tokenRules,
  anybody: anybodyRules,
  accidents: accidentRules,
} as const satisfies Record<string, readonly Rule[]>
export type Chapter = keyof typeof ruleBook

export const everyRule: readonly Rule[] = Object.values(ruleBook).flat()
