import type { SessionState } from '@atrium/client/session'
import { createStore } from '@atrium/client/store'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** As a browser's, but for what is not used here. */
function memoryStorage() {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (at: number) => [...items.keys()][at] ?? null,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
    all: () => [...items.entries()].flat().join(' '),
  }
}

const signedIn = (id: string) => ({ state: 'signed-in', user: { id } }) as SessionState

/** A tab as it is after it was loaded (again): what it has in memory is gone. */
async function load(first: SessionState = { state: 'unknown' }) {
  vi.resetModules()
  const [{ draftOf, keepDraft }, { followPerson }, { queryClient }] = await Promise.all([
    import('./drafts.ts'),
    import('../live/of-person.ts'),
    import('../live/queries.ts'),
  ])
  const session = createStore<SessionState>(first)
  followPerson(session)
  return { draftOf, keepDraft, queryClient, session }
}

describe('what is typed and not sent', () => {
  let storage: ReturnType<typeof memoryStorage>
  beforeEach(() => {
    storage = memoryStorage()
    vi.stubGlobal('sessionStorage', storage)
  })
  afterEach(() => void vi.unstubAllGlobals())

  it('survives a reload of the tab', async () => {
    const before = await load()
    before.session.set(signedIn('1'))
    before.keepDraft('general', 'half a sentence')
    const after = await load()
    after.session.set(signedIn('1'))
    expect(after.draftOf('general')).toBe('half a sentence')
  })

  it('is gone when its person signs out, and so is what was read for them', async () => {
    const { session, keepDraft, draftOf, queryClient } = await load()
    session.set(signedIn('1'))
    keepDraft('general', 'half a sentence')
    queryClient.setQueryData(['listAuditLog', {}], { entries: ['of the first'] })
    session.set({ state: 'signed-out' })
    expect(draftOf('general')).toBe('')
    expect(storage.all()).not.toContain('half a sentence')
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })

  it('is not for the next one at this screen, where the tab was loaded anew in between', async () => {
    const before = await load()
    before.session.set(signedIn('1'))
    before.keepDraft('general', 'half a sentence')
    const after = await load()
    after.session.set(signedIn('2'))
    expect(after.draftOf('general')).toBe('')
    expect(storage.all()).not.toContain('half a sentence')
  })

  it('is gone where the session has ended while the tab was away', async () => {
    const before = await load()
    before.session.set(signedIn('1'))
    before.keepDraft('general', 'half a sentence')
    const after = await load({ state: 'signed-out' })
    expect(after.draftOf('general')).toBe('')
    expect(storage.all()).not.toContain('half a sentence')
  })
})
