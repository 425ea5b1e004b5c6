import { describe, expect, it } from 'vitest'
import { names as german } from '../../words/de/emoji.ts'
import { names as english } from '../../words/en/emoji.ts'
import { emojiList } from './emoji-list.ts'
import { findEmoji, isEmoji, QUICK_EMOJI } from './find-emoji.ts'

const EMOJI_LIST = emojiList(german)
const found = (query: string) => findEmoji(EMOJI_LIST, query).map(({ emoji }) => emoji)

describe('the list of emoji', () => {
  it('has emoji of the standard alone, each once, with words in both languages', () => {
    expect(EMOJI_LIST.filter(({ emoji }) => !isEmoji(emoji))).toEqual([])
    expect(new Set(EMOJI_LIST.map(({ emoji }) => emoji)).size).toBe(EMOJI_LIST.length)
    const named = (names: string) =>
      names
        .trim()
        .split('\n')
        .map((line) => line.split(' ', 1)[0])
    expect(named(german)).toEqual(named(english))
    expect(EMOJI_LIST.filter(({ name }) => name === '')).toEqual([])
    expect(EMOJI_LIST.length).toBeGreaterThan(200)
  })

  it('begins with those of every toolbar', () => {
    const first = EMOJI_LIST.slice(0, 3).map(({ emoji }) => emoji)
    expect(first).toEqual(expect.arrayContaining([...QUICK_EMOJI]))
  })
})

describe('finding emoji', () => {
  it.each([
    ['party', '🎉'],
    ['FEIER', '🎉'],
    ['red hea', '❤️'],
    ['rotes herz', '❤️'],
    ['🦩', '🦩'],
    [' 👍🏽 ', '👍🏽'],
  ])('finds by %s', (query, emoji) => {
    expect(found(query)).toContain(emoji)
  })

  it('shows all without a query, and none where nothing fits', () => {
    expect(found('')).toHaveLength(EMOJI_LIST.length)
    expect(found('arity')).toEqual([])
    expect(found('👍👍')).toEqual([])
    expect(found('👍'.repeat(10_000))).toEqual([])
  })
})
