import { randomId } from '../requests/random-id.ts'
import { createStore } from '../store.ts'
import type { NewEntry, Outbox, OutboxItem, OutboxState } from './outbox.ts'

const TRY_AGAIN_MS = 5_000

/** An outbox whose code is loaded beside the page: what is put in meanwhile is shown at once, and handed over then. */
export function createLateOutbox(load: () => Promise<Outbox>, now: () => number): Outbox {
  const state = createStore<OutboxState>({ items: [], unsaved: 0 })
  const early: { item: OutboxItem; entry: NewEntry; done(): void }[] = []
  let outbox: Outbox | undefined
  let closed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = async () => {
    try {
      const loaded = await load()
      if (closed) return loaded.close()
      outbox = loaded
      for (const { entry, done } of early.splice(0)) void loaded.put(entry).then(done)
      loaded.subscribe(() => state.set(loaded.get()))
      state.set(loaded.get())
    } catch {
      if (!closed) timer = setTimeout(begin, TRY_AGAIN_MS * (0.5 + Math.random()))
    }
  }
  void begin()
  return {
    get: state.get,
    subscribe: state.subscribe,
    put(given) {
      if (outbox || closed) return outbox?.put(given) ?? Promise.resolve()
      const { replaces: _, ...rest } = given
      const entry = { ...given, id: given.id ?? randomId() }
      const item: OutboxItem = { ...rest, id: entry.id, at: now(), state: 'sending' }
      return new Promise((done) => {
        early.push({ item, entry, done })
        const items = early.map((one) => one.item)
        state.set({ items, unsaved: items.filter(({ quiet }) => !quiet).length })
      })
    },
    again: async (id) => await outbox?.again(id),
    drop: async (id) => await outbox?.drop(id),
    wake: () => outbox?.wake(),
    close() {
      closed = true
      clearTimeout(timer)
      outbox?.close()
      for (const { done } of early.splice(0)) done()
    },
  }
}
