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

export const everyRule: readonly Rule[] = [
  ...sessionRules,
  ...memberRules,
  ...organizationRules,
  ...invitationRules,
  ...roomRules,
  ...guestRules,
  ...knockRules,
  ...chatRules,
  ...tokenRules,
  ...anybodyRules,
  ...accidentRules,
]
