import { createStore, type Store } from '@atrium/client/store'
import type { Device, DeviceKind } from './device-choice.ts'

const KINDS: readonly string[] = ['audioinput', 'videoinput', 'audiooutput'] satisfies DeviceKind[]
const store = createStore<readonly Device[]>([])
let followed = false

/** Microphones, cameras and speakers of this machine, also after one is plugged in or out. */
export const devices: Store<readonly Device[]> & { refresh(): Promise<void> } = {
  get: store.get,
  subscribe(listener) {
    follow()
    return store.subscribe(listener)
  },
  /** Names appear once a microphone or a camera was permitted. Never rejects. */
  refresh,
}

/** Whether this browser can play sound elsewhere than where the system does. */
export const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype

async function refresh(): Promise<void> {
  const found = (await navigator.mediaDevices?.enumerateDevices().catch(() => undefined)) ?? []
  store.set(
    found
      .filter(({ kind, deviceId }) => KINDS.includes(kind) && deviceId !== '')
      .map(({ deviceId, kind, label }) => ({ id: deviceId, kind: kind as DeviceKind, label })),
  )
}

function follow(): void {
  if (followed) return
  followed = true
  navigator.mediaDevices?.addEventListener('devicechange', () => void refresh())
  void refresh()
}
