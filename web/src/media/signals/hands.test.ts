import { expect, it } from 'vitest'
import { inOrder, NO_HANDS, raisedAt, withHand, withoutHand } from './hands.ts'

const NOW = 1_000

it('numbers hands by when they were raised, in whichever order they are told of', () => {
  const told = [
    ['grace', 30],
    ['ada', 10],
    ['mae', 20],
  ] as const
  const one = told.reduce((hands, [who, since]) => withHand(hands, who, since, NOW), NO_HANDS)
  const other = told.toReversed().reduce((hands, [who, since]) => withHand(hands, who, since, NOW), NO_HANDS)
  expect(inOrder(one)).toEqual(['ada', 'mae', 'grace'])
  expect(inOrder(other)).toEqual(inOrder(one))
  expect(inOrder(withoutHand(one, 'ada'))).toEqual(['mae', 'grace'])
})

it('has an order for hands of one moment, and knows no future', () => {
  const hands = withHand(withHand(NO_HANDS, 'b', 1e15, NOW), 'a', 1e14, NOW)
  expect(inOrder(hands)).toEqual(['a', 'b'])
})

it('puts those who have seen a hand behind it, though their clock is slow', () => {
  const hands = withHand(NO_HANDS, 'mae', NOW + 400, NOW)
  expect(inOrder(withHand(hands, 'ada', raisedAt(hands, NOW), NOW))).toEqual(['mae', 'ada'])
  expect(raisedAt(NO_HANDS, NOW)).toBe(NOW)
})

it('stays what it is where nothing changes', () => {
  const hands = withHand(NO_HANDS, 'ada', 10, NOW)
  expect(withHand(hands, 'ada', 10, NOW)).toBe(hands)
  expect(withoutHand(hands, 'grace')).toBe(hands)
})
