import { expect, it } from 'vitest'
import { withoutNamesInList, withoutNamesInText, withoutNamesInWords } from './erased-names.ts'

it.each([
  ['Ada,Bob', ['Ada'], 'Deleted person,Bob'],
  ['Bob, will , Willow', ['Will'], 'Bob, Deleted person , Willow'],
  ['ada lovelace; Bob; (Ada Lovelace)', ['Ada Lovelace'], 'Deleted person; Bob; (Deleted person)'],
  ['Will (host), Will <will@people.example>', ['Will'], 'Deleted person, Deleted person'],
  ['Bob, Will he come', ['Will'], 'Bob, Will he come'],
  ['Bob <ada@people.example>', ['ada@people.example'], 'Bob <Deleted person>'],
  ['李雷,李', ['李'], '李雷,Deleted person'],
  ['Ada', [], 'Ada'],
  ['', ['Ada'], ''],
])('the list %s without %j', (list, known, expected) => {
  expect(withoutNamesInList(list, known)).toBe(expected)
})

it.each([
  ['Will we ship?', ['Will'], 'Will we ship?'],
  ['Budget of Ann', ['Ann'], 'Budget of Ann'],
  ['Budget of Ann King', ['Ann', 'Ann King'], 'Budget of Deleted person'],
  ['ANN KING, Ann Kingsley', ['Ann King'], 'Deleted person, Ann Kingsley'],
  ['Talk to will@people.example', ['Will', 'will@people.example'], 'Talk to Deleted person'],
  ['the A.B (C) of it', ['A.B (C)'], 'the Deleted person of it'],
  ['Ada', [], 'Ada'],
])('the text %s without %j', (text, known, expected) => {
  expect(withoutNamesInText(text, known)).toBe(expected)
})

it.each([
  ['Ask Ann King, please', ['Ann King'], 'Ask Deleted person please'],
  ['ann KING! Ann Kingsley', ['Ann King', 'Ann'], 'Deleted person Ann Kingsley'],
  ['Maria de la Cruz spoke', ['Maria de', 'Maria de la Cruz'], 'Deleted person spoke'],
  ['Will we ship?', ['Will', 'will@people.example'], 'Will we ship?'],
  ['Good morning, Ann', ['Ann King'], 'Good morning, Ann'],
  ['', ['Ann King'], ''],
])('the words %s without %j', (said, known, expected) => {
  const words = said.split(' ').map((text) => ({ text, from: 1 }))
  const rest = withoutNamesInWords(words, known)
  expect(rest.map(({ text }) => text).join(' ')).toBe(expected)
  expect(rest.every(({ from }) => from === 1)).toBe(true)
})
