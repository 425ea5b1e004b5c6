/** Where to go on after a sign-in: only ever a page of this office. Whatever else the address says leads to the floor. */
export function nextAddress(given: string | undefined): string {
  if (given === undefined || !/^\/(?![/\\])/.test(given) || given.includes('\\')) return '/'
  return given
}

/** The token of a pasted invite link, or of the token alone; undefined where there is none. */
export function tokenOfLink(text: string): string | undefined {
  const trimmed = text.trim()
  if (/^[\w.~-]+$/.test(trimmed)) return trimmed
  if (!URL.canParse(trimmed)) return undefined
  const { searchParams } = new URL(trimmed)
  return searchParams.get('invite_token') ?? searchParams.get('invitation_token') ?? undefined
}
