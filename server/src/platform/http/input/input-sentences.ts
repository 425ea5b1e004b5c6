import { EmailField, NameField } from '@atrium/contract'
import { inputSentence } from '@atrium/contract/input-sentence'

/** What to tell a person whose name does not fit. */
export function nameSentence(lengths: { min: number; max: number; label?: string }): string {
  return inputSentence(NameField(lengths), 'name')
}

/** What to tell a person whose e-mail address is none. */
export function emailSentence(): string {
  return inputSentence(EmailField, 'email')
}
