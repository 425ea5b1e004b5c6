import { expect, it } from 'vitest'
import { type Chapter, momentOf, speechOf } from './speech.ts'

const chapters: Chapter[] = [
  { at: 0, kind: 'entered', userId: '7' },
  { at: 1, kind: 'spoke', until: 3, userId: '7' },
  { at: 4, kind: 'spoke', until: 10, guest: { identity: 'guest:1', name: 'Grete' } },
  { at: 12, kind: 'spoke', until: 13, userId: '7' },
]

it('tells who spoke when, the one who spoke most first', () => {
  const found = speechOf(chapters, ({ guest }) => guest?.name ?? 'Ada')
  expect(found).toEqual([
    { who: 'guest:1', name: 'Grete', seconds: 6, turns: [{ at: 4, until: 10 }] },
    {
      who: '7',
      name: 'Ada',
      seconds: 3,
      turns: [
        { at: 1, until: 3 },
        { at: 12, until: 13 },
      ],
    },
  ])
})

it('writes moments as players do', () => {
  expect([0, 9.9, 61, 3_723, -1].map(momentOf)).toEqual(['0:00', '0:09', '1:01', '1:02:03', '0:00'])
})
