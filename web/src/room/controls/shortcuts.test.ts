import { expect, it } from 'vitest'
import { shortcutOf } from './shortcuts.ts'

const press = (key: string, more = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false },
  ...more,
})
const nowhere = { closest: () => null }
const inField = { closest: (selector: string) => (selector.includes('input') ? {} : null) }

it('takes single keys, large or small', () => {
  expect(['m', 'V', 's', 'x'].map((key) => shortcutOf(press(key), nowhere))).toEqual([
    'microphone',
    'camera',
    'screen',
    undefined,
  ])
  expect(shortcutOf(press('m'), null)).toBe('microphone')
})

it('wants the shift key for what cannot be taken back', () => {
  expect(shortcutOf(press('l'), nowhere)).toBeUndefined()
  expect(shortcutOf(press('L', { shiftKey: true }), nowhere)).toBe('leave')
  expect(shortcutOf(press('M', { shiftKey: true }), nowhere)).toBeUndefined()
})

it('leaves alone what is typed, held down, or belongs to the browser', () => {
  expect(shortcutOf(press('m'), inField)).toBeUndefined()
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
    expect(shortcutOf(press('s', more), nowhere)).toBeUndefined()
})
