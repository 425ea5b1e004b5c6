import { createStore } from '@atrium/client/store'
import { setLogLevel } from 'livekit-client'
import { client } from '../../live/office-client.ts'
import { createActivityReports } from '../activity-reports.ts'
import { type Call, type CallState, type Entrance, OUTSIDE } from '../call-state.ts'
import { createCallSignals } from '../signals/call-signals.ts'
import { createMediaWatch } from '../watch/watch-media.ts'
import { type Calling, endCall } from './calling.ts'
import { beginAnew, comeIn, disconnected } from './come-back.ts'
import { createOwnMedia } from './own-media.ts'

export function createCall(entrance: Entrance): Call {
  setLogLevel('silent')
  const store = createStore<CallState>(OUTSIDE)
  const reports = entrance.tellActivity && createActivityReports(entrance.tellActivity)
  if (reports) store.subscribe(() => reports.look(store.get()))
  const signals = createCallSignals(client.time.now, (signalled) =>
    store.update((state) => ({ ...state, ...signalled })),
  )
  const call: Calling = {
    ...{ entrance, store, signals },
    own: createOwnMedia(store, () => call.room),
    watch: createMediaWatch((of) => call.room === of && beginAnew(call, of)),
    ...{ room: undefined, lastSid: undefined, wasTried: false, sealed: undefined, stopAbsence: undefined },
    onDisconnected: (of, reason) => disconnected(call, of, reason),
  }
  return {
    get: store.get,
    subscribe: store.subscribe,
    async join(choices) {
      call.own.begin(choices)
      store.set({ ...OUTSIDE, phase: 'connecting' })
      const open = await entrance.getSealing?.().catch((error: unknown) => {
        store.set(OUTSIDE)
        throw error
      })
      call.sealed = open?.((sealing) => store.update((state) => ({ ...state, sealing })))
      await comeIn(call)
    },
    ...call.own.controls,
    ...signals.controls,
    playSound: async () => await call.room?.startAudio().catch(() => {}),
    acceptKeys: () => call.sealed?.accept(),
    forgetProblem: () => store.update((state) => ({ ...state, problem: undefined })),
    async leave() {
      const { phase } = store.get()
      if (phase !== 'ended' && phase !== 'outside') endCall(call, 'left')
    },
  }
}
