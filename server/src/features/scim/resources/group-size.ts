import { invalid } from '../protocol/faults.ts'

/** So many members are told in one answer; a larger group is asked for without them, and its people in pages. */
export const MEMBERS_IN_ANSWER_MAX = 10_000

/** @throws ScimFault tooMany, with words that say what to ask instead */
export function requireAnswerable(members: number, id: string): void {
  if (members <= MEMBERS_IN_ANSWER_MAX) return
  throw invalid(
    'tooMany',
    `Group ${id} has ${members} members, more than the ${MEMBERS_IN_ANSWER_MAX} of one answer: ask for it with excludedAttributes=members, and for its people in pages: /Users?filter=groups.value eq "${id}"`,
  )
}
