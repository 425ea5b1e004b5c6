import { expect, it } from 'vitest'
import { paceCommands } from './command-pace.ts'

const ada = { user: 'user_ada', client: 'one' }

it('nothing is taken of a person for frames of a connection that is gone', async () => {
  const turns = paceCommands({ perMinute: 60, atOnce: 2 })
  const gone = AbortSignal.abort()
  for (let n = 0; n < 100; n += 1) await turns.await(ada, 1, gone)
  const began = performance.now()
  await turns.await({ ...ada, client: 'two' }, 1, new AbortController().signal)
  // a second for each that was taken
  expect(performance.now() - began).toBeLessThan(500)
})
