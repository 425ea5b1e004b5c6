import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text.ts'

const NAMES: Record<string, string> = { 42: 'Ada', room: 'all' }
const plain = (text: string) => plainText(text, (id) => NAMES[id])

describe('a text of chat in plain words', () => {
  it.each([
    ['**Done**: see `carry` and *wheel*', 'Done: see carry and wheel'],
    ['~~gone~~', 'gone'],
    ['[the log](https://log.example/7)', 'the log'],
    ['```ts\nlet a = "*"\n```', 'let a = "*"'],
    ['> said\n\nanswered', 'said\nanswered'],
    ['- one\n- **two**', 'one\ntwo'],
    ['one\ntwo', 'one\ntwo'],
    ['5 * 3 * 2 and snake_case_name', '5 * 3 * 2 and snake_case_name'],
    ['<@42>, <@room>', '@Ada, @all'],
    ['', ''],
  ])('of %j', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  it('leaves the id of a person who has no name here', () => {
    expect(plain('**<@7>** and `<@42>`')).toBe('<@7> and <@42>')
  })
})
