import { expect, it } from 'vitest'
import { withoutNames } from './names-in-lists.ts'

it.each([
  ['Ada,Bob', ['Ada'], 'Deleted person,Bob'],
  ['ada lovelace; Bob (Ada Lovelace)', ['Ada Lovelace', 'Ada'], 'Deleted person; Bob (Deleted person)'],
  ['Annual of Ann', ['Ann'], 'Annual of Deleted person'],
  ['ada@people.example, bob', ['ada@people.example'], 'Deleted person, bob'],
  ['A.B (C) \\d+', ['A.B (C)', '\\d+'], 'Deleted person Deleted person'],
  ['李雷', ['李'], '李雷'],
  ['Ada', [], 'Ada'],
])('%s without %j', (text, names, expected) => {
  expect(withoutNames(text, names)).toBe(expected)
})
