import { messageTextFault } from '@atrium/contract/message-text'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const ACUTE = '\u0301'
const FAULTS: Record<string, string> = {
  'A message needs text': 'no-text',
  'A message has at most 4,000 characters': 'too-long',
  'A message has at most 30 combining marks in a row': 'too-many-marks',
}

async function faultInDatabase(text: string): Promise<string | undefined> {
  try {
    await office.database.pool.query('select require_text(composed_message($1))', [text])
    return undefined
  } catch (error) {
    return FAULTS[(error as Error).message] ?? String(error)
  }
}

describe('the rule of texts', () => {
  it.each([
    ['a letter', 'a', undefined],
    ['nothing', '', 'no-text'],
    ['white space of every kind', ' \t\r\n\u000b\u00a0\u1680\u2003\u2028\u202f\u205f\u3000', 'no-text'],
    ['control characters alone', '\u0001\u0007\u001b\u007f\u0085', 'no-text'],
    ['what is drawn as nothing', '\u200b\u200d\u2060\u3164\uffa0\u2800\ufeff\u00ad\u034f', 'no-text'],
    ['tags and variation selectors alone', '\u{e0041}\u{e0100}\ufe0f', 'no-text'],
    ['a letter among what is drawn as nothing', '\u200ba\u200b', undefined],
    ['an emoji', '👩‍👩‍👧‍👦', undefined],
    ['4,000 letters', 'x'.repeat(4_000), undefined],
    ['4,001 letters', 'x'.repeat(4_001), 'too-long'],
    ['4,000 foxes', '🦊'.repeat(4_000), undefined],
    ['4,001 foxes', '🦊'.repeat(4_001), 'too-long'],
    ['4,000 letters that are written as two', `e${ACUTE}`.repeat(4_000), undefined],
    ['4,001 letters that are written as two', `e${ACUTE}`.repeat(4_001), 'too-long'],
    ['thirty marks', `e${ACUTE.repeat(30)}`, undefined],
    ['thirty-one marks', `e${ACUTE.repeat(31)}`, 'too-many-marks'],
    ['thirty-one marks of two units', `e${'\u{1e000}'.repeat(31)}`, 'too-many-marks'],
    ['a mark alone', ACUTE, undefined],
    ['far too much', 'x'.repeat(50_000), 'too-long'],
  ])('is the same for who writes and in the database: %s', async (_name, text, fault) => {
    expect(messageTextFault(text)).toBe(fault)
    expect(await faultInDatabase(text)).toBe(fault)
  })
})
