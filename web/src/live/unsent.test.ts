import { outboxStore, unsentOf } from '@atrium/client/outbox'
import { expect, it } from 'vitest'
import { leavingUnsent, unsentQuestion } from './unsent.ts'

const entry = { organization: '7', kind: 'message', lane: 'messages 18', body: {}, at: Date.now() }

it('signing out asks about what is not sent, and deletes it only then', async () => {
  await outboxStore().add({ ...entry, id: 'a', person: '1' })
  await outboxStore().add({ ...entry, id: 'b', person: '2' })
  let times = 0
  const leave = async () => {
    times += 1
  }
  const stays = leavingUnsent('1', leave)
  await expect.poll(() => unsentQuestion.get()?.count).toBe(1)
  unsentQuestion.get()?.answer(false)
  expect([await stays, times, await unsentOf('1')]).toEqual([false, 0, 1])

  const goes = leavingUnsent('1', leave)
  await expect.poll(() => unsentQuestion.get()?.count).toBe(1)
  unsentQuestion.get()?.answer(true)
  expect([await goes, times, await unsentOf('1'), await unsentOf('2')]).toEqual([true, 1, 0, 1])

  // where there is nothing, nothing is asked
  expect([await leavingUnsent('1', leave), times]).toEqual([true, 2])
  expect(unsentQuestion.get()).toBeUndefined()
})
