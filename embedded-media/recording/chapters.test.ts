import { expect, it } from 'vitest'
import { chaptersOf } from './chapters.ts'
import type { EventNote, Note } from './notes.ts'

const event = (note: EventNote['note'], at: number, identity = '7'): EventNote => ({
  ...{ note, at, identity, name: `Person ${identity}` },
})

const FILE: Note = {
  note: 'file',
  ...{ at: 1_600, file: '1.sound', kind: 'sound', person: 'PA_8' },
  ...{ speaker: { identity: '8', name: 'Person 8' }, source: 1, rtp: 0 },
}

it('tells who came, shared and left, and when they spoke, in order', () => {
  const notes: Note[] = [
    event('entered', 0),
    event('entered', 1_500, '8'),
    event('spoke', 2_000),
    event('hushed', 4_000),
    event('shared', 5_000, '8'),
    event('left', 9_000),
    // files have a speaker too, and are no chapter
    FILE,
    { note: 'end', at: 10_000 },
  ]
  expect(chaptersOf(notes, 10_000)).toEqual([
    { at: 0, kind: 'entered', identity: '7', name: 'Person 7' },
    { at: 1.5, kind: 'entered', identity: '8', name: 'Person 8' },
    { at: 2, kind: 'spoke', until: 4, identity: '7', name: 'Person 7' },
    { at: 5, kind: 'shared', identity: '8', name: 'Person 8' },
    { at: 9, kind: 'left', identity: '7', name: 'Person 7' },
  ])
})

it('joins what a breath parts, leaves out a cough, and ends speech with a person who leaves or with the film', () => {
  const notes = [
    ...[event('spoke', 1_000), event('hushed', 2_000), event('spoke', 4_000), event('hushed', 5_000)],
    ...[event('spoke', 9_000), event('hushed', 9_400)],
    ...[event('spoke', 6_000, '8'), event('left', 8_000, '8'), event('spoke', 15_000)],
  ]
  const spoken = chaptersOf(notes, 20_000).filter(({ kind }) => kind === 'spoke')
  expect(spoken.map(({ identity, at, until }) => [identity, at, until])).toEqual([
    ['7', 1, 5],
    ['8', 6, 8],
    ['7', 15, 20],
  ])
})

it('has a bound, which keeps who came and the longest turns', () => {
  const turns = Array.from({ length: 1_000 }, (_, n) => [
    event('spoke', n * 10_000),
    event('hushed', n * 10_000 + 1_000 + n),
  ]).flat()
  const found = chaptersOf([event('entered', 0), ...turns], 10_000_000)
  expect(found).toHaveLength(300)
  expect(found[0]?.kind).toBe('entered')
  expect(found[1]?.at).toBe(7_010)
})
