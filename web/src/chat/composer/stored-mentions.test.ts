import { describe, expect, it } from 'vitest'
import { mentionable, mentionQuery, withIds, withNames } from './stored-mentions.ts'

const ADA = { id: '42', name: 'Ada Lovelace' }
const AD = { id: '43', name: 'Ada' }
const ALL = { id: 'room', name: 'everybody' }
const MEMBERS = [ADA, AD, ALL]

describe('mentions in a text that is typed', () => {
  it.each([
    ['@Ada Lovelace, look', '<@42>, look'],
    ['@Ada: (@everybody)', '<@43>: (<@room>)'],
    ['@Adam and ada@Ada.example', '@Adam and ada@Ada.example'],
    ['@ and @@Ada', '@ and @<@43>'],
    ['nothing', 'nothing'],
  ])('%j is stored as %j', (text, stored) => {
    expect(withIds(text, MEMBERS)).toBe(stored)
  })

  it('are shown by today’s names, but for those of others', () => {
    expect(withNames('<@42> <@7> <@room>', MEMBERS)).toBe('@Ada Lovelace <@7> @everybody')
  })

  it('of two of one name mean the one that was chosen', () => {
    expect(withIds('@Ada', [{ id: '50', name: 'Ada' }, AD])).toBe('<@50>')
  })

  it('take time by their length alone', () => {
    expect(withIds('@'.repeat(4_000), MEMBERS)).toBe('@'.repeat(4_000))
  })
})

describe('the list of whom to mention', () => {
  it.each([
    ['@', ''],
    ['Hello @ad', 'ad'],
    ['(@Ada Lo', 'Ada Lo'],
    ['a@b', undefined],
    ['@Ada Lovelace and', undefined],
    ['none', undefined],
  ])('for %j looks for %j', (before, query) => {
    expect(mentionQuery(before)).toBe(query)
  })

  it('finds by the beginning of a word', () => {
    expect(mentionable(MEMBERS, 'LOV')).toEqual([ADA])
    expect(mentionable(MEMBERS, 'ada')).toEqual([ADA, AD])
    expect(mentionable(MEMBERS, 'xyz')).toEqual([])
  })
})
