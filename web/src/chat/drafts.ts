const KEY = 'atrium-drafts'

const drafts = new Map<string, string>(read())

/** What is typed and not sent, by conversation and thread: it survives another screen, and a reload of the tab. */
export function draftOf(key: string): string {
  return drafts.get(key) ?? ''
}

export function keepDraft(key: string, text: string): void {
  if (text === '') drafts.delete(key)
  else drafts.set(key, text)
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...drafts]))
  } catch {
    // full or forbidden: it is kept until the page is left
  }
}

function read(): [string, string][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, string][]
  } catch {
    return []
  }
}
