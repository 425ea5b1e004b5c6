import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { SessionNeeds } from '../../access/sessions/session.ts'
import { revokeSessionById } from '../../access/sessions/session-endings.ts'
import { SESSION_COOKIE } from '../../access/sessions/session-rules.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { endElsewhere } from './end-elsewhere.ts'

interface Needs extends SessionNeeds {}

/** Ends one session of the caller, or all but the one in use. What was minted from them ends too (`note_ended_session`). */
export async function endSessions(
  needs: Needs,
  caller: CallerOf<'endSessions'>,
  input: Input<'endSessions'>,
): Promise<Reply<'endSessions'>> {
  if (input.id === undefined)
    await transaction(needs.db, (tx) =>
      endElsewhere(tx, caller.user.id, caller.session.id, needs.clock.now()),
    )
  else if ((await endOne(needs, caller, input.id)) === caller.session.id)
    caller.cookies.remove(SESSION_COOKIE)
  needs.callers.forget(caller.user.id)
  return { status: 204 }
}

/** @returns the id of the session that has ended */
async function endOne(needs: Needs, caller: CallerOf<'endSessions'>, id: string): Promise<string> {
  const session = parseInternalId(id)
  const ended =
    session &&
    (await transaction(needs.db, (tx) => revokeSessionById(tx, caller.user.id, session, needs.clock.now())))
  if (!ended) throw Refusal.of('session-not-found')
  return ended
}
