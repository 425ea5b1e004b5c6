import { expect, it } from 'vitest'
import { en } from '../../words/en/shell.ts'
import { aboutPerson, isReachable } from './status-words.ts'

it.each([
  ['online', true],
  ['away', true],
  ['busy', false],
  ['offline', false],
] as const)('a colleague who is %s can be reached by a knock: %s', (status, reachable) => {
  expect(isReachable({ status })).toBe(reachable)
})

it('a bot is shown as what it is, and not knocked at', () => {
  const bot = { id: '1', displayName: 'Minutes', isBot: true, status: 'online' } as Parameters<
    typeof aboutPerson
  >[0]
  expect(aboutPerson(bot, en.status)).toBe(`${en.status.bot} · ${en.status.online}`)
  expect(isReachable(bot)).toBe(false)
})
