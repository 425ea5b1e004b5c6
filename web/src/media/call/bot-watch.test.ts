import { createStore } from '@atrium/client/store'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CallState, OUTSIDE, type PersonInCall } from '../call-state.ts'
import { createBotWatch } from './bot-watch.ts'

const bot = (identity: string, name: string, sid = `PA_${identity}`) =>
  ({ identity, name, sid, isBot: true, botId: identity.split('#')[0] }) as PersonInCall
/** A worker chooses its identity by itself, and is introduced by the office once it is inside. */
const worker = (botId: string | undefined, name: string) =>
  ({ ...bot('agent-AJ_1', name), botId }) as PersonInCall

function watched() {
  const store = createStore<CallState>(OUTSIDE)
  const onNew = vi.fn()
  const watch = createBotWatch(store, onNew)
  const see = (bots: readonly PersonInCall[], phase: CallState['phase'] = 'inside') => {
    store.update((state) => ({ ...state, phase, bots }))
    watch.look()
  }
  return { store, onNew, watch, see }
}

describe('bots of a call', () => {
  afterEach(() => void vi.useRealTimers())

  it('that were named before one enters are told of, and come in without a question', () => {
    const { store, onNew, watch, see } = watched()
    watch.tell(['Minutes', 'Scribe'], undefined)
    see([bot('17', 'Minutes')])
    // with a second connection it is the same one
    see([bot('17', 'Minutes'), bot('17#second', 'Minutes'), bot('18', 'Scribe')])
    expect(onNew).not.toHaveBeenCalled()
    expect(store.get()).toMatchObject({ toldBots: ['Minutes', 'Scribe'], newBots: [] })
    watch.heed()
    expect(store.get().toldBots).toEqual([])
  })

  it('that were named come in as workers, and are known as soon as the office says who they are', () => {
    const { store, onNew, watch, see } = watched()
    watch.tell(['Minutes'], undefined)
    see([worker(undefined, 'note-taker')])
    see([worker('17', 'Minutes')])
    see([worker('17', 'Minutes'), bot('17#second', 'Minutes')])
    expect(onNew).not.toHaveBeenCalled()
    expect(store.get().newBots).toEqual([])
  })

  it('that are another one than was named are asked about as soon as that is known', () => {
    const { store, watch, see } = watched()
    watch.tell(['Minutes'], undefined)
    see([worker(undefined, 'note-taker')])
    expect(store.get().newBots).toEqual([])
    see([worker('18', 'Scribe')])
    expect(store.get().newBots).toEqual(['Scribe'])
  })

  it('that were not named are asked about at once, and once, also as workers', () => {
    const { store, onNew, watch, see } = watched()
    watch.tell([], undefined)
    see([worker(undefined, 'note-taker')])
    expect(store.get().newBots).toEqual(['note-taker'])
    see([worker('17', 'Minutes')])
    see([worker('17', 'Minutes')])
    expect(onNew).toHaveBeenCalledOnce()
    expect(store.get().newBots).toEqual(['note-taker'])
  })

  it('that come later are asked about, until they were seen, also where one has left meanwhile', () => {
    const { store, onNew, watch, see } = watched()
    watch.tell([], undefined)
    see([bot('17', 'Minutes')])
    see([bot('17', 'Minutes')])
    see([])
    expect(onNew).toHaveBeenCalledOnce()
    expect(store.get().newBots).toEqual(['Minutes'])
    watch.heed()
    expect(store.get().newBots).toEqual([])
    // it comes anew
    see([bot('17', 'Minutes')])
    expect(store.get().newBots).toEqual(['Minutes'])
  })

  it('that were named and did not come are asked about, where they come much later', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { store, watch, see } = watched()
    watch.tell(['Minutes', 'Scribe'], undefined)
    vi.setSystemTime(Date.now() + 120_000)
    see([bot('17', 'Minutes')])
    expect(store.get().newBots).toEqual([])
    vi.setSystemTime(Date.now() + 120_000)
    see([bot('17', 'Minutes'), bot('18', 'Scribe')])
    expect(store.get().newBots).toEqual(['Scribe'])
  })

  it('are the same ones after a connection was away, and others are asked about', () => {
    const { store, watch, see } = watched()
    watch.tell(['Minutes'], undefined)
    see([bot('17', 'Minutes')])
    see([], 'reconnecting')
    see([bot('17', 'Minutes'), bot('18', 'Scribe')])
    expect(store.get().newBots).toEqual(['Scribe'])
  })

  it('come anew where they have left and come while a connection was away', () => {
    const { store, watch, see } = watched()
    watch.tell(['Minutes'], undefined)
    see([bot('17', 'Minutes')])
    see([], 'reconnecting')
    see([bot('17', 'Minutes', 'PA_other')])
    expect(store.get().newBots).toEqual(['Minutes'])
  })

  it('are asked about where the screen before has not shown them', () => {
    const { store, watch, see } = watched()
    watch.tell(['Minutes', 'Scribe'], ['Minutes'])
    expect(store.get()).toMatchObject({ toldBots: [], newBots: ['Scribe'] })
    watch.heed()
    see([bot('17', 'Minutes'), bot('18', 'Scribe')])
    expect(store.get().newBots).toEqual([])
  })
})
