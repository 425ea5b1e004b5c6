import { type Input, NOTE_MAX, type Reply, UNTIL_MAX_DAYS } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import { DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import { parseMoment } from '../../platform/moment.ts'
import { invalidInput } from '../../platform/refusal.ts'
import { type ChangeNeeds, changePresence } from './change-presence.ts'

const NOTE = { min: 1, max: NOTE_MAX, label: 'a note' }
const UNTIL_MAX_SECONDS = UNTIL_MAX_DAYS * DAY_SECONDS

/** The caller chooses a status for the active organization, with what they say of it and how long it holds. */
export async function setPresenceStatus(
  needs: ChangeNeeds,
  caller: CallerOf<'setPresenceStatus'>,
  input: Input<'setPresenceStatus'>,
): Promise<Reply<'setPresenceStatus'>> {
  const status = await changePresence(needs, caller, {
    kind: 'chosen',
    status: input.status,
    ...(input.note === undefined ? {} : { note: requireNote(input.note) }),
    ...(input.until === undefined ? {} : { until: requireUntil(input.until, needs.clock.now()) }),
  })
  return { status: 200, body: { userId: caller.user.identityId, status } }
}

/** @returns null where the note is taken away */
function requireNote(text: string): string | null {
  return text.trim() === '' ? null : requireName(text, 'note', NOTE)
}

function requireUntil(text: string, now: Date): Date {
  const until = parseMoment(text)
  if (until && until > now && until <= secondsAfter(now, UNTIL_MAX_SECONDS)) return until
  const message = `Enter a time in the next ${UNTIL_MAX_DAYS} days, such as 2026-03-23T09:00:00Z`
  throw invalidInput([{ field: 'until', message }])
}
