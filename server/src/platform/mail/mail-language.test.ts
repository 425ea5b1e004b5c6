import { describe, expect, it } from 'vitest'
import { mailLanguageOf } from './mail-language.ts'

describe('the language of a mail', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr-CH, fr;q=0.9, de;q=0.7, en;q=0.8', 'en'],
    ['fr, DE;q=0.2, *;q=0.1', 'de'],
    ['de;q=0, en', 'en'],
    ['de;q=0', 'en'],
    ['dexter', 'en'],
    ['de;q=x', 'en'],
    ['*', 'en'],
    [`${'fr,'.repeat(10_000)}de`, 'en'],
    [';;;,,,q=1', 'en'],
  ])('of %j is %s', (header, language) => {
    expect(mailLanguageOf(header)).toBe(language)
  })
})
