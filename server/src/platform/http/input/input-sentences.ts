import { EmailField, NameField } from '@atrium/contract'
import { inputSentence } from '@atrium/contract/input-sentence'

/** What to tell a person about a name that does not fit. */
export function nameSentence(lengths: { min: number; max: number; label?: string }): string {
  return inputSentence(NameField(lengths), 'name')
}

/** What to tell a person about a text that is no e-mail address. */
export function emailSentence(): string {
  return inputSentence(EmailField, 'email')
}
