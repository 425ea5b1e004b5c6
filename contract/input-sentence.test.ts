import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { type Operation, operationEntries } from './index.ts'
import { inputSentence, schemaAt, sentenceOfMissing, sentenceOfOtherType } from './input-sentence.ts'

describe('a sentence about refused input', () => {
  it.each([
    [Type.String({ minLength: 2, maxLength: 100, label: 'a name' }), 'Enter a name of 2 to 100 characters'],
    [Type.String({ minLength: 1, maxLength: 9 }), 'Enter an organization id of 1 to 9 characters'],
    [Type.String({ maxLength: 9 }), 'Enter an organization id of at most 9 characters'],
    [Type.String({ format: 'email' }), 'Enter an e-mail address, such as ada@example.com'],
    [Type.String({ format: 'date-time' }), 'Enter a time with its offset, such as 2026-03-23T09:00:00Z'],
    [Type.Integer({ minimum: 1, maximum: 100 }), 'Enter a whole number from 1 to 100'],
    [Type.Number({ minimum: 0 }), 'Enter a number of at least 0'],
    [Type.Boolean(), 'Enter true or false'],
    [Type.Enum(['admit', 'deny']), 'Choose admit or deny'],
    [Type.Array(Type.String(), { minItems: 1, maxItems: 100, label: 'ids' }), 'Give 1 to 100 ids'],
    [Type.Array(Type.String(), { maxItems: 9, label: 'ids' }), 'Give at most 9 ids'],
    [Type.Object({}), 'Send the organization id as an object'],
    [Type.Object({}, { sentence: 'Give either one' }), 'Give either one'],
    [
      Type.Union([Type.Integer({ minimum: 1, maximum: 5 }), Type.String()]),
      'Enter a whole number from 1 to 5',
    ],
  ])('%#', (schema, sentence) => {
    expect(inputSentence(schema, 'lists.0.organizationId')).toBe(sentence)
  })

  it.each([
    [Type.String({ minLength: 2, maxLength: 100, label: 'a name' }), 'Enter a name as text'],
    [Type.String({ maxLength: 9 }), 'Enter an organization id as text'],
    [Type.Array(Type.String(), { minItems: 1, maxItems: 9, label: 'ids' }), 'Give a list of ids'],
    [Type.String({ format: 'email' }), 'Enter an e-mail address, such as ada@example.com'],
    [Type.Enum(['admit', 'deny']), 'Choose admit or deny'],
    [Type.Integer({ minimum: 1, maximum: 100 }), 'Enter a whole number from 1 to 100'],
    [Type.String({ sentence: 'Give either one' }), 'Give either one'],
  ])('of another type says nothing of its length: %#', (schema, sentence) => {
    expect(sentenceOfOtherType(schema, 'lists.0.organizationId')).toBe(sentence)
  })

  it.each([
    [Type.String({ minLength: 2, maxLength: 100, label: 'a name' }), 'Enter a name of 2 to 100 characters'],
    [Type.String({ maxLength: 9 }), 'Enter an organization id'],
    [Type.Array(Type.String(), { minItems: 1, maxItems: 9, label: 'ids' }), 'Give 1 to 9 ids'],
    [Type.Array(Type.String(), { maxItems: 9, label: 'ids' }), 'Give a list of ids'],
    [Type.String({ format: 'email' }), 'Enter an e-mail address, such as ada@example.com'],
    [Type.Enum(['admit', 'deny']), 'Choose admit or deny'],
    [Type.Integer({ minimum: 1, maximum: 100 }), 'Enter a whole number from 1 to 100'],
    [Type.String({ maxLength: 9, sentence: 'Give either one' }), 'Give either one'],
  ])('of something missing does not say how much would be too much: %#', (schema, sentence) => {
    expect(sentenceOfMissing(schema, 'lists.0.organizationId')).toBe(sentence)
  })

  it.each([
    ['tmpKey', 'Enter an upload key of at most 9 characters'],
    ['userId', 'Enter a user id of at most 9 characters'],
    ['userIds.0', 'Enter a user id of at most 9 characters'],
    ['events.0.eventId', 'Enter an event id of at most 9 characters'],
    ['before', 'Enter a cursor of at most 9 characters'],
  ])('calls %s what people call it', (field, sentence) => {
    expect(inputSentence(Type.String({ maxLength: 9 }), field)).toBe(sentence)
  })

  it('is found for a place in a body', () => {
    const body = Type.Object({ emails: Type.Array(Type.String({ format: 'email' })) })
    expect(schemaAt(body, ['emails', '3'])).toMatchObject({ format: 'email' })
    expect(schemaAt(body, ['emails', '3', 'no'])).toBeUndefined()
  })

  it.each(operationEntries)('is one for people in every field of %s', (_id, declared) => {
    for (const [field, schema] of fieldsOf(declared))
      expect(inputSentence(schema as never, field)).toMatch(
        /^(Enter (an? |the |true |\d)|Choose |Give |Send )(?!.*\b(tmp|org|uid|an us|a before|an after)\b)[^{}]*$/,
      )
  })
})

function fieldsOf({ params, query, body }: Operation): [string, unknown][] {
  const groups = [params, query, body]
  return [...groups.flatMap((group) => Object.entries(group?.properties ?? {})), ['body', body ?? {}]]
}
