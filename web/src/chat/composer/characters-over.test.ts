import { expect, it } from 'vitest'
import { charactersOver } from './characters-over.ts'

it('says how much of a text is too much, as the office counts', () => {
  expect(charactersOver('a'.repeat(4_000))).toBe(0)
  expect(charactersOver('a'.repeat(5_015))).toBe(1_015)
  // an emoji is one character, and so is a letter with its mark
  expect(charactersOver('🙂'.repeat(4_000))).toBe(0)
  expect(charactersOver('e\u0301'.repeat(4_001))).toBe(1)
})
