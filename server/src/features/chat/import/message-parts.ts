import { MESSAGE_CHARACTERS_MAX, messageTextFault } from '@atrium/contract/message-text'
import { composed } from '../../../platform/text/unicode.ts'
import type { FoundMessage, KnownPerson, Reason } from './found.ts'

/** Of a text of an export, in UTF-16 units: neither Slack nor Mattermost takes more. */
const TEXT_UNITS_MAX = 66_000
/** Messages that one text becomes at most. */
const PARTS_MAX = 20
/** People whom one message mentions at most. */
const MENTIONS_MAX = 50

type TextOf = (text: string, personOf: (key: string) => KnownPerson | undefined) => string

/** The texts that a message has here: several where it is longer than one may be. Or why it has none. */
export function partsOf(
  { text, files }: Pick<FoundMessage, 'text' | 'files'>,
  textOf: TextOf,
  personOf: (key: string) => KnownPerson | undefined,
): readonly string[] | Reason {
  if (text.length > TEXT_UNITS_MAX) return 'too-long'
  const mentioned: string[] = []
  const whole = [
    textOf(withoutMarks(text), fewOf(personOf, mentioned)),
    ...files.map((name) => `📎 ${withoutMarks(name).slice(0, 255)}`),
  ]
    .filter((line) => line.trim() !== '')
    .join('\n')
    .replaceAll('\0', '')
    .toWellFormed()
  const composedText = composed(whole)?.trim()
  const said = composedText === undefined ? undefined : withMentions(composedText, mentioned)
  if (said === undefined) return 'unreadable'
  const parts = divided(said)
  if (parts.length > PARTS_MAX) return 'too-long'
  const seen: string[] = []
  for (const part of parts) {
    const fault = messageTextFault(part)
    if (fault !== undefined && fault !== 'no-text') return 'unreadable'
    if (fault === undefined) seen.push(part)
  }
  return seen.length === 0 ? 'without-text' : seen
}

/** By characters: no emoji is cut in two. */
function divided(text: string): string[] {
  if (text.length <= MESSAGE_CHARACTERS_MAX) return [text]
  const characters = [...text]
  const parts: string[] = []
  for (let from = 0; from < characters.length; from += MESSAGE_CHARACTERS_MAX)
    parts.push(characters.slice(from, from + MESSAGE_CHARACTERS_MAX).join(''))
  return parts
}

/** Around the number of a mention that we have written: no text of an export has them. */
const [BEGIN, END] = ['\ue000', '\ue001']
const MARKS = /[\ue000\ue001]/g
const MENTION_LOOKALIKE = /<@(?=\d|room>)/g
const OWN_MENTION = /<@\ue000(\d+)\ue001>/g

function withoutMarks(text: string): string {
  return text.replaceAll(MARKS, '')
}

/** Mentions are those that we have written: what else looks like one, after all that was joined and taken out, is none. */
function withMentions(text: string, mentioned: readonly string[]): string {
  return text
    .replaceAll(MENTION_LOOKALIKE, '< @')
    .replaceAll(OWN_MENTION, (_, place) => `<@${mentioned[Number(place)]}>`)
}

/** Those beyond the bound are named, and not mentioned. */
function fewOf(personOf: (key: string) => KnownPerson | undefined, mentioned: string[]) {
  return (key: string) => {
    const person = personOf(key)
    if (person?.id === undefined) return person
    let place = mentioned.indexOf(person.id)
    if (place < 0 && mentioned.length >= MENTIONS_MAX) return { ...person, id: undefined }
    if (place < 0) place = mentioned.push(person.id) - 1
    return { ...person, id: `${BEGIN}${place}${END}` }
  }
}
