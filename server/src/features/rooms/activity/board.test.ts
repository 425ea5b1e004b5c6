import { beforeEach, expect, it } from 'vitest'
import { type ActivityBoard, makeActivityBoard } from './board.ts'

const START = new Date('2026-03-23T09:00:00Z').getTime()
const ada = { organization: '1', room: 'a', who: '42' }
const NOTHING = { sound: undefined, speaking: false, hand: false }
let board: ActivityBoard
let now: number

beforeEach(() => {
  now = START
  board = makeActivityBoard({ now: () => new Date(now) })
})

it('shows what was said for fifteen seconds, to its organization, and tells of the end', () => {
  board.say(ada, { sound: 'on', speaking: true, hand: false })
  const said = { ...ada, sound: 'on', speaking: true, hand: false }
  expect([board.shown('1'), board.shown('2'), board.takeChanged()]).toEqual([[said], [], [said]])
  now += 14_999
  expect([board.shown('1'), board.takeChanged()]).toEqual([[said], []])
  now += 1
  expect([board.shown('1'), board.takeChanged()]).toEqual([[], [{ ...ada, ...NOTHING }]])
  expect(board.takeChanged()).toEqual([])
})

it('tells of many changes within a turn once, and of none where nothing is different', () => {
  for (const speaking of [true, false, true]) board.say(ada, { sound: 'on', speaking, hand: false })
  expect(board.takeChanged()).toEqual([{ ...ada, sound: 'on', speaking: true, hand: false }])
  board.say(ada, { sound: 'on', speaking: true, hand: false })
  expect(board.takeChanged()).toEqual([])
})

it('shares what is said again, for other nodes would forget it, and does not tell of it', () => {
  const said = { ...ada, sound: 'on' as const, speaking: false, hand: true }
  board.say(ada, said)
  expect([board.takeChanged(), board.takeRepeated()]).toEqual([[said], []])
  now += 5_000
  board.say(ada, said)
  expect([board.takeChanged(), board.takeRepeated(), board.takeRepeated()]).toEqual([[], [said], []])
  // another node says it since: this one tells of no end
  now += 5_000
  board.hear(said)
  now += 14_000
  expect([board.shown('1'), board.takeChanged()]).toEqual([[said], []])
})

it('takes a part of it from the media server, and keeps the rest', () => {
  board.say(ada, { sound: 'muted', speaking: false, hand: true })
  board.say(ada, { sound: 'on', speaking: true })
  expect(board.shown('1')).toEqual([{ ...ada, sound: 'on', speaking: true, hand: true }])
})

it('shows what another node has said, and leaves it to that one to tell', () => {
  board.hear({ ...ada, sound: 'on', speaking: false, hand: true })
  expect(board.shown('1')).toEqual([{ ...ada, sound: 'on', speaking: false, hand: true }])
  now += 20_000
  expect([board.takeChanged(), board.shown('1')]).toEqual([[], []])
})

it('keeps hands down for five seconds', () => {
  board.say(ada, { sound: 'off', hand: true })
  board.takeChanged()
  board.lowerHands('a')
  expect(board.takeChanged()).toMatchObject([{ hand: false }])
  now += 4_999
  board.say(ada, { hand: true })
  expect(board.shown('1')).toMatchObject([{ hand: false }])
  now += 1
  board.say(ada, { hand: true })
  expect(board.shown('1')).toMatchObject([{ hand: true }])
})
