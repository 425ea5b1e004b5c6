import { draftOf, keepDraft } from '../drafts.ts'

const keyOf = (messageId: number) => `edit-${messageId}`

/** What a change of a message begins with: where it was left half-written, or the text as it is. */
export function editOf(messageId: number, original: string): string {
  return draftOf(keyOf(messageId)) || original
}

/** Keeps a change that is not saved, as drafts are kept; one that changes nothing is none. */
export function keepEdit(messageId: number, text: string, original: string): void {
  keepDraft(keyOf(messageId), text === original ? '' : text)
}

export function forgetEdit(messageId: number): void {
  keepDraft(keyOf(messageId), '')
}
