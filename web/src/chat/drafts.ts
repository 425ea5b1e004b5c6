import { keepOfPerson, keptOfPerson, whenPersonGoes } from '../live/of-person.ts'

const NAME = 'drafts'

const drafts = new Map<string, string>(read())

whenPersonGoes(() => drafts.clear())

/** What is typed and not sent, by conversation and thread: it survives another screen, and a reload of the tab. */
export function draftOf(key: string): string {
  return drafts.get(key) ?? ''
}

export function keepDraft(key: string, text: string): void {
  if (text === '') drafts.delete(key)
  else drafts.set(key, text)
  keepOfPerson(NAME, JSON.stringify([...drafts]))
}

function read(): [string, string][] {
  try {
    return JSON.parse(keptOfPerson(NAME) ?? '[]') as [string, string][]
  } catch {
    return []
  }
}
