import { expect, it } from 'vitest'
import { testClock } from '../../../tests/office.ts'
import { publicFetch } from '../../platform/outside/public-fetch.ts'
import { poster } from './post.ts'
import { verdictOf } from './rules.ts'

it('a name that leads into our own network ends the subscription, one that leads nowhere does not', async () => {
  const leadsTo = (address: string) =>
    poster(
      publicFetch({
        lookup: ((_: string, __: object, told: (error: null, found: object[]) => void) =>
          told(null, [{ address, family: 4 }])) as never,
      }),
      testClock(),
    )
  const answer = await leadsTo('10.0.0.7')('https://push.example/send', {}, Buffer.from('x'))
  expect(answer).toBe('not-public')
  expect(verdictOf(answer)).toBe('gone')
  const nowhere = poster(() => Promise.reject(new TypeError('fetch failed')), testClock())
  await expect(nowhere('https://push.example/send', {}, Buffer.from('x'))).rejects.toThrow()
})

it.each([
  [201, 'taken'],
  [404, 'gone'],
  [410, 'gone'],
  [403, 'gone'],
  [413, 'refused'],
  [429, 'trouble'],
  [502, 'trouble'],
] as const)('%i is %s', (status, verdict) => expect(verdictOf({ status })).toBe(verdict))
