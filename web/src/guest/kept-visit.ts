const KEY = 'atrium-guest'

/** What a reload of the page must not lose. The office keeps the place at the door by a cookie. */
export interface KeptVisit {
  token: string
  name: string
  /** They have asked to come in. */
  hasAsked: boolean
  /** What they had on. */
  microphone: boolean
  camera: boolean
  /** The connection of the page before, as the media server names it. */
  participantSid?: string
}

const NEW: KeptVisit = { token: '', name: '', hasAsked: false, microphone: true, camera: true }

/** The visit of this tab: of the link that it was opened by, else the one that was kept. */
export function keptVisit(linkToken: string): KeptVisit {
  const kept = read()
  if (linkToken !== '' && linkToken !== kept?.token) return { ...NEW, token: linkToken }
  return { ...NEW, ...kept }
}

export function keepVisit(visit: KeptVisit): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(visit))
  } catch {
    // forbidden: a reload begins again
  }
}

function read(): KeptVisit | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptVisit | null) ?? undefined
  } catch {
    return undefined
  }
}
