import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findInvite } from './reads.ts'
import { inviteOver } from './rules.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Tells the holder of a link where it leads, before they give it their address. Uses nothing up. */
export async function showInviteLink(
  needs: Needs,
  _caller: CallerOf<'showInviteLink'>,
  input: Input<'showInviteLink'>,
): Promise<Reply<'showInviteLink'>> {
  const invite = await findInvite(needs.db, input.token, needs.clock.now())
  if (invite === 'dead') {
    throw Refusal.of('invite-link-not-found')
  }
  if (invite === 'expired') throw inviteOver()
  return { status: 200, body: { organizationName: invite.organization.name } }
}
