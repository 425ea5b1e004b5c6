import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { memberView } from '../../directory/members/member-view.ts'
import { searchMembers } from '../../directory/members/search-members.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidInput } from '../../platform/refusal.ts'
import type { OrganizationReads } from '../../platform/replicas/organization-reads.ts'
import { composed } from '../../platform/text/unicode.ts'
import { shownPresenceOf } from '../presence/reads.ts'
import { viewerOf } from './viewer.ts'

interface Needs {
  reads: OrganizationReads
  clock: Clock
  imageBaseUrl: string
}

const QUERY_CHARACTERS_MAX = 320

/** The people of the active organization by name, all or those that a text is found in. */
export async function listMembers(
  needs: Needs,
  caller: CallerOf<'listMembers'>,
  input: Input<'listMembers'>,
): Promise<Reply<'listMembers'>> {
  const { limit = 20, offset = 0, presence } = input
  const { id, identityId } = caller.organization
  const { viewer, now } = viewerOf(caller, needs.clock)
  if (input.query?.includes('\0'))
    throw invalidInput([{ field: 'query', message: 'Send text without null characters (U+0000)' }])
  const query = composed(input.query ?? '')
  // no name and no address has a part like that
  if (
    query === undefined ||
    query.length > 2 * QUERY_CHARACTERS_MAX ||
    [...query].length > QUERY_CHARACTERS_MAX
  )
    return { status: 200, body: { data: [], page: { limit, offset, total: 0 } } }
  const wanted = { query, limit, offset, ...(presence ? { presence } : {}) }
  const { members, total } = await needs.reads.read(identityId, ({ db }) => searchMembers(db, id, wanted))
  return {
    status: 200,
    body: {
      data: members.map((member) => {
        const presence = shownPresenceOf(member.presence, { isSelf: member.id === viewer, now })
        return memberView(member, presence, needs.imageBaseUrl)
      }),
      page: { limit, offset, total },
    },
  }
}
