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
        // whoever was away comes back with nothing open
        if (opened.get().end === 'away') keepChoice({ microphone: false, camera: false })
        store.set(opened.get())
      })
      await opened.join(choices)
    },
    agree: async () => await call?.agree(),
    heedBots: async () => await call?.heedBots(),
    async set(kind, on) {
      if (kind !== 'screen') {
        keepChoice({ [kind]: on })
        keepOnDevice(keptChoice())
      }
      await call?.set(kind, on)
    },
    chooseDevice: async (kind, id) => await call?.chooseDevice(kind, id),
    suppressNoise: async (on) => await call?.suppressNoise(on),
    raiseHand: (on) => call?.raiseHand(on),
    readCaptions: async (on) => await call?.readCaptions(on),
    react: (reaction) => call?.react(reaction),
    playSound: async () => await call?.playSound(),
    forgetProblem: () => call?.forgetProblem(),
    acceptKeys: () => call?.acceptKeys(),
    async leave() {
      hasLeft = true
      if (call) return await call.leave()
      if (store.get().phase === 'connecting') store.set({ ...OUTSIDE, phase: 'ended', end: 'left' })
    },
  }
}
