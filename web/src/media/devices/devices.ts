import { createStore, type Store } from '@atrium/client/store'
import { preferences } from '../../live/preferences.ts'
import type { JoinWith } from '../call-state.ts'
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

/** What was chosen on this device. */
export function chosenDevices(): Omit<JoinWith, 'microphone' | 'camera' | 'agreed'> {
  const { microphoneId, cameraId, speakerId, suppressNoise } = preferences.get()
  return { microphoneId, cameraId, speakerId, suppressNoise }
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
  for (const name of ['microphone', 'camera'] as const)
    void permissionFor(name).then((permission) =>
      permission?.addEventListener('change', () => void refresh()),
    )
  void refresh()
}

/** Whether a page may open it, and what tells when that changes; undefined where the browser does not say. */
export async function permissionFor(name: 'microphone' | 'camera'): Promise<PermissionStatus | undefined> {
  return await navigator.permissions?.query({ name: name as PermissionName }).catch(() => undefined)
}
