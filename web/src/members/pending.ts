/** A page of invitations, newest first, whatever became of them: the office lists all of them alike. */
export interface InvitationPage<Invitation extends { state: string }> {
  data: readonly Invitation[]
}

/** Those that wait for an answer. */
export function pendingOf<Invitation extends { state: string }>(
  pages: readonly InvitationPage<Invitation>[],
): Invitation[] {
  return pages.flatMap(({ data }) => data.filter(({ state }) => state === 'pending'))
}

/** How many pages are read in search of them before the person is asked to go on. */
const PAGES_AT_ONCE = 10

/**
 * Whether another page is read without being asked for: as long as fewer are found than are shown.
 * @param asked how often more was asked for
 */
export function readsOn(pages: number, found: number, shown: number, asked: number): boolean {
  return found < shown && pages < (asked + 1) * PAGES_AT_ONCE
}
