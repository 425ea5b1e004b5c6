import { expect, it } from 'vitest'
import { emojiOf } from './emoji-names.ts'

it.each([
  ['thumbsup', '👍'],
  ['+1', '👍'],
  ['+1::skin-tone-2', '👍🏻'],
  ['wave_dark_skin_tone', '👋🏿'],
  ['heart', '❤️'],
  ['tada::skin-tone-3', '🎉'],
  ['our_logo', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
])('%s is %s', (name, emoji) => {
  expect(emojiOf(name)).toBe(emoji)
})
