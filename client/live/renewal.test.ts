import { expect, it } from 'vitest'
import { AtriumError } from '../errors.ts'
import { renewSpread } from './renewal.ts'

function pauses() {
  const waited: number[] = []
  return { waited, pause: async (milliseconds: number) => void waited.push(milliseconds) }
}

it('tokens that end together are asked for over ten seconds, well within the time that the broker allows', async () => {
  const { waited, pause } = pauses()
  for (const at of [0, 0.5, 0.999])
    await renewSpread(async () => 'ticket', { isConnected: () => true, random: () => at, pause })
  expect(waited).toEqual([0, 5_000, 9_990])
})

it('a connection that is away asks at once: its reconnects are spread already', async () => {
  const { waited, pause } = pauses()
  expect(await renewSpread(async () => 'ticket', { isConnected: () => false, pause })).toBe('ticket')
  expect(waited).toEqual([])
})

it('where the office says when, it is not asked before', async () => {
  const { waited, pause } = pauses()
  const refusal = new AtriumError('mintConnectionToken', {
    ...{ status: 503, code: 503, message: 'later', retryAfterSeconds: 20 },
  })
  const renewing = renewSpread(async () => Promise.reject(refusal), {
    ...{ isConnected: () => false, random: () => 0, pause },
  })
  await expect(renewing).rejects.toBe(refusal)
  expect(waited).toEqual([20_000])
})
