import type { TSchema } from 'typebox'

/**
 * What an input schema may say beside the keywords of JSON Schema. Validation and the published document leave these
 * out.
 */
export interface InputNotes {
  /** What the field is called in a sentence, with its article: "a name". Made from the field's name where not given. */
  label?: string
  /** The whole sentence, where the one that is made of the schema would not do. */
  sentence?: string
  /** It is read as a name: spaces around it are no part of it, nor is the way in which its characters are spelt. */
  isName?: true
  /** Any text is taken, however long: what cannot be meant finds nothing. */
  anyText?: true
  /** It is a code of six digits from a mail, which can be guessed: tries are counted. */
  isMailedCode?: true
  /** Keywords that the published document has besides: the handler refuses by them, not the validation. */
  documented?: Readonly<Record<string, unknown>>
}

interface Schema extends InputNotes {
  type?: string
  format?: string
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

/**
 * What to tell a person about input that was refused: what fits there, and not what was wrong with it.
 * @param field its name, or its path in the body (`calendars.0.timeMin`)
 */
export function inputSentence(schema: TSchema, field: string): string {
  const shape = schema as Schema
  if (shape.sentence) return shape.sentence
  if (shape.enum) return sentenceOfChoice(shape.enum.map(String))
  const [first] = shape.anyOf ?? []
  if (first) return inputSentence(first as TSchema, field)
  switch (shape.type) {
    case 'string':
      return sentenceOfText(shape, field)
    case 'integer':
    case 'number':
      return `Enter ${shape.type === 'integer' ? 'a whole number' : 'a number'}${between(shape.minimum, shape.maximum)}`
    case 'boolean':
      return 'Enter true or false'
    case 'array':
      return sentenceOfList(shape, field)
    default:
      return sentenceOfObject(field)
  }
}

/** The same where it was no text, or no list: its length was not what was wrong. */
export function sentenceOfOtherType(schema: TSchema, field: string): string {
  const shape = schema as Schema
  if (shape.sentence || shape.enum || shape.format) return inputSentence(schema, field)
  if (shape.type === 'string') return `Enter ${labelOf(shape, field)} as text`
  if (shape.type === 'array') return `Give a list of ${shape.label ?? wordsOf(field)}`
  return inputSentence(schema, field)
}

/** The same where there was nothing: how much of it would be too much is not what was wrong. */
export function sentenceOfMissing(schema: TSchema, field: string): string {
  const shape = schema as Schema
  if (shape.sentence || shape.enum || shape.format || shape.minLength || shape.minItems)
    return inputSentence(schema, field)
  if (shape.type === 'string') return `Enter ${labelOf(shape, field)}`
  return sentenceOfOtherType(schema, field)
}

function sentenceOfChoice(words: readonly string[]): string {
  return `Choose ${words.length > 2 ? 'one of ' : ''}${listed(words, 'or')}`
}

function sentenceOfObject(field: string): string {
  if (field === 'body') return 'Send a JSON object'
  return `Send ${isItem(field) ? 'each' : 'the'} ${wordsOf(field)} as an object`
}

function sentenceOfText(shape: Schema, field: string): string {
  if (shape.format === 'email') return 'Enter an e-mail address, such as ada@example.com'
  if (shape.format === 'date-time') return 'Enter a time with its offset, such as 2026-03-23T09:00:00Z'
  return `Enter ${labelOf(shape, field)}${ofLength(shape.minLength ?? 0, shape.maxLength)}`
}

function ofLength(min: number, max: number | undefined): string {
  if (max === undefined) return min > 1 ? ` of at least ${min} characters` : ''
  if (min === max) return ` of ${min} characters`
  return min > 0 ? ` of ${min} to ${max} characters` : ` of at most ${max} characters`
}

function between(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

function sentenceOfList(shape: Schema, field: string): string {
  const what = shape.label ?? wordsOf(field)
  const { minItems: min = 0, maxItems: max } = shape
  if (max === undefined) return `Give a list of ${what}`
  return min > 0 ? `Give ${min} to ${max} ${what}` : `Give at most ${max} ${what}`
}

function labelOf(shape: Schema, field: string): string {
  if (shape.label) return shape.label
  const words = wordsOf(field)
  return `${/^(?!us)[aeiou]/.test(words) ? 'an' : 'a'} ${words}`
}

/** Fields with names on the wire that are no words. */
const WORDS: Readonly<Record<string, string>> = {
  after: 'cursor',
  before: 'cursor',
  orgId: 'organization id',
  participants: 'list of participants',
  pendingAuthenticationToken: 'sign-in token',
  query: 'search text',
  tmpKey: 'upload key',
}

/** `calendars.0.calendarId` is a calendar id, `calendars.0` a calendar. */
function wordsOf(field: string): string {
  const names = field.split('.').filter((part) => !/^\d+$/.test(part))
  const name = names.at(-1) ?? field
  const words = WORDS[name] ?? name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return isItem(field) ? words.replace(/s$/, '') : words
}

/** Whether a path ends at an entry of a list. */
function isItem(field: string): boolean {
  return /\.\d+$/.test(field)
}

function listed(words: readonly string[], conjunction: string): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

/** The schema at a path of a schema; undefined where there is none. */
export function schemaAt(schema: TSchema, path: readonly string[]): TSchema | undefined {
  let at: TSchema | undefined = schema
  for (const step of path) at = innerSchema(at, step)
  return at
}

interface Holder {
  items?: TSchema
  properties?: Record<string, TSchema>
  anyOf?: TSchema[]
}

/** What stands at a place in a list or a field of an object; of several forms, in the first that has it. */
function innerSchema(schema: TSchema | undefined, step: string): TSchema | undefined {
  const { items, properties = {}, anyOf = [] } = (schema ?? {}) as Holder
  const own = /^\d+$/.test(step) ? items : Object.hasOwn(properties, step) ? properties[step] : undefined
  if (own) return own
  for (const form of anyOf) {
    const found = innerSchema(form, step)
    if (found) return found
  }
  return undefined
}
