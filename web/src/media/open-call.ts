import { createStore } from '@atrium/client/store'
import { type Call, type Entrance, OUTSIDE } from './call-state.ts'
import { keepChoice, keepOnDevice, keptChoice } from './kept-choice.ts'

/**
 * A call whose media client, which is large, is loaded beside the screen before the room: that one does not wait for it.
 */
export function openCall(entrance: Entrance): Call {
  const store = createStore(OUTSIDE)
  let call: Call | undefined
  let hasLeft = false
  const load = () => import('./call/call.ts')
  return {
    get: store.get,
    subscribe(listener) {
      void load().catch(() => {})
      return store.subscribe(listener)
    },
    async join(choices) {
      hasLeft = false
      store.set({ ...OUTSIDE, phase: 'connecting' })
      const { createCall } = await load().catch((error: unknown) => {
        store.set(OUTSIDE)
        throw error
      })
      if (hasLeft) return
      keepOnDevice(choices)
      const opened = createCall(entrance)
      call = opened
      opened.subscribe(() => {
        if (call !== opened) return
        // a person who was away comes back with nothing open
        if (opened.get().end === 'away') keepChoice({ microphone: false, camera: false })
        store.set(opened.get())
      })
      await opened.join(choices)
    },
    async set(kind, on) {
      if (kind !== 'screen') {
        keepChoice({ [kind]: on })
        keepOnDevice(keptChoice())
      }
      await call?.set(kind, on)
    },
    ...handedOn(() => call),
    async leave() {
      hasLeft = true
      if (call) return await call.leave()
      if (store.get().phase === 'connecting') store.set({ ...OUTSIDE, phase: 'ended', end: 'left' })
    },
  }
}

/** What is asked of a call that is loaded, and of one that is not, in vain. */
function handedOn(
  loaded: () => Call | undefined,
): Omit<Call, 'get' | 'subscribe' | 'join' | 'set' | 'leave'> {
  return {
    agree: async () => await loaded()?.agree(),
    heedBots: async () => await loaded()?.heedBots(),
    chooseDevice: async (kind, id) => await loaded()?.chooseDevice(kind, id),
    suppressNoise: async (on) => await loaded()?.suppressNoise(on),
    raiseHand: (on) => loaded()?.raiseHand(on),
    readCaptions: async (on) => await loaded()?.readCaptions(on),
    react: (reaction) => loaded()?.react(reaction),
    playSound: async () => await loaded()?.playSound(),
    forgetProblem: () => loaded()?.forgetProblem(),
    acceptKeys: () => loaded()?.acceptKeys(),
  }
}
