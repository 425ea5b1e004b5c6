import { afterEach, expect, it, vi } from 'vitest'
import { createOfficeTime } from '../office-time.ts'
import { createLateOutbox } from './late-outbox.ts'
import { createMemoryStore } from './memory-store.ts'
import { createOutbox } from './outbox.ts'

afterEach(() => void vi.useRealTimers())

it('shows at once what is put in, and hands it over in order, also where its code is not loaded at first', async () => {
  vi.useFakeTimers()
  const sent: unknown[] = []
  let failures = 2
  const outbox = createLateOutbox(async () => {
    if (failures-- > 0) throw new TypeError('Failed to fetch dynamically imported module')
    return createOutbox({
      store: createMemoryStore(),
      owner: async () => ({ person: '1', organization: '7' }),
      senders: { message: { send: async ({ body }) => void sent.push(body) } },
      time: createOfficeTime(),
    })
  }, Date.now)
  for (const body of ['1', '2', '3']) void outbox.put({ kind: 'message', lane: 'a', body })
  expect(outbox.get()).toMatchObject({ unsaved: 3, items: [{ body: '1' }, { body: '2' }, { body: '3' }] })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent).toEqual(['1', '2', '3'])
  expect(outbox.get()).toEqual({ unsaved: 0, items: [] })
  outbox.close()
})
