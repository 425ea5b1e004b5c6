import { describe, expect, it } from 'vitest'
import type { OutboxEntry } from './entry.ts'
import { createIndexedStore } from './indexed-store.ts'
import { createMemoryStore } from './memory-store.ts'

/** As in a private window of a browser that forbids it. */
const FORBIDDEN = {
  open: () => {
    throw new DOMException('forbidden', 'SecurityError')
  },
} as unknown as IDBFactory

const entry = (id: string, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  ...{ id, person: '1', organization: '7', kind: 'message', lane: 'a', body: { text: id }, at: 1_000 },
  ...more,
})

/** What every store does; `engines/web/chat.ts` has the one of browsers. */
describe.each([
  ['memory', createMemoryStore],
  ['IndexedDB that is forbidden', () => createIndexedStore(FORBIDDEN)],
])('a store in %s', (_, create) => {
  it('has the entries of an owner in order, and nobody else’s', async () => {
    const store = create()
    for (const id of ['1', '2', '3']) await store.add(entry(id))
    await store.add(entry('other', { person: '2' }))
    await store.add(entry('elsewhere', { organization: '8' }))
    const ids = async (person: string, organization: string) =>
      (await store.list({ person, organization })).map(({ id }) => id)
    expect(await ids('1', '7')).toEqual(['1', '2', '3'])
    expect(await ids('2', '7')).toEqual(['other'])
    expect(await ids('2', '8')).toEqual([])
    expect((await store.listOf('1')).map(({ id }) => id)).toEqual(['1', '2', '3', 'elsewhere'])
  })

  it('changes and removes one, and brings none back that is gone', async () => {
    const store = create()
    const position = await store.add(entry('1'))
    const refused = { status: 403, message: 'no' }
    await store.replace({ ...entry('1'), position, refused })
    expect(await store.listOf('1')).toEqual([{ ...entry('1'), position, refused }])
    await store.remove(position)
    await store.remove(position)
    await store.replace({ ...entry('1'), position })
    expect(await store.listOf('1')).toEqual([])
  })

  it('forgets what is too old, of every person', async () => {
    const store = create()
    await store.add(entry('old', { person: '2', at: 1 }))
    await store.add(entry('new', { person: '2', at: 5 }))
    await store.removeBefore(5)
    expect((await store.listOf('2')).map(({ id }) => id)).toEqual(['new'])
  })

  it('says that it outlives nothing', async () => {
    const store = create()
    await store.add(entry('1'))
    expect(store.isDurable()).toBe(false)
  })
})
