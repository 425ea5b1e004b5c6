import { expect, it } from 'vitest'
import { commitmentTo, rosterOf, spoken, wordsFor } from './words.ts'

const ada = { identity: '1', publicKey: 'A', visit: 'x' }
const grace = { identity: '2', publicKey: 'B', visit: 'y' }
const key = new Uint8Array(32)

it('words are four, of five letters, and tell each of 64 bits apart', () => {
  const digest = new Uint8Array(32)
  const seen = new Set([spoken(digest)])
  for (let bit = 0; bit < 64; bit += 1) {
    const other = new Uint8Array(32)
    other[bit >> 3] = 1 << (bit & 7)
    seen.add(spoken(other))
  }
  expect(seen.size).toBe(65)
  for (const words of seen)
    expect(words).toMatch(
      /^([bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]( ([bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]){3}$/,
    )
  // the notation of proquints (draft-rayner-proquint)
  expect(spoken(Uint8Array.of(127, 0, 0, 1, 63, 84, 220, 193))).toBe('lusab babad gutih tugad')
})

it('a roster is the same in each order, and another for each other key, person, visit or room', async () => {
  const roster = await rosterOf('room', [ada, grace])
  expect(await rosterOf('room', [grace, ada])).toBe(roster)
  const others = await Promise.all([
    rosterOf('room', [ada]),
    rosterOf('other', [ada, grace]),
    rosterOf('room', [ada, { ...grace, publicKey: 'C' }]),
    rosterOf('room', [ada, { ...grace, visit: 'z' }]),
    rosterOf('room', [ada, { ...grace, identity: '3' }]),
  ])
  expect(new Set([roster, ...others]).size).toBe(6)
})

it('words follow from the key, the roster, the epoch and the number of each one', async () => {
  const roster = await rosterOf('room', [ada, grace])
  const secrets = new Map([
    ['1', 's'],
    ['2', 't'],
  ])
  const words = await wordsFor(key, { number: 1, roster }, secrets)
  expect(await wordsFor(key, { number: 1, roster }, new Map([...secrets].reverse()))).toBe(words)
  const others = await Promise.all([
    wordsFor(new Uint8Array(32).fill(1), { number: 1, roster }, secrets),
    wordsFor(key, { number: 2, roster }, secrets),
    wordsFor(key, { number: 1, roster: 'other' }, secrets),
    wordsFor(key, { number: 1, roster }, new Map([...secrets, ['2', 'u']])),
  ])
  expect(new Set([words, ...others]).size).toBe(5)
})

it('a commitment is to one number, of one person, in one epoch', async () => {
  const of = (secret: string, who = ada, number = 1) => commitmentTo(secret, who, { number, roster: 'r' })
  const all = await Promise.all([of('s'), of('t'), of('s', grace), of('s', ada, 2)])
  expect(new Set(all).size).toBe(4)
  expect(await of('s')).toBe(all[0])
})
