import type { Device } from './devices/device-choice.ts'
import type { OpenChoice } from './kept-choice.ts'

/** What is known before a person goes into a room. */
export interface BeforeEntering {
  /** What they had open in a room last; undefined: they come in for the first time here. */
  kept: OpenChoice | undefined
  /** Whether the page may open it without a question. */
  permitted: OpenChoice
  devices: readonly Device[]
  /** Ids of devices; "" for what the system takes. */
  microphoneId: string
  cameraId: string
}

/** Whether devices are to be looked at before one goes in: the first time, without permission, or when one is gone. */
export function asksForDevices({
  kept,
  permitted,
  devices,
  microphoneId,
  cameraId,
}: BeforeEntering): boolean {
  if (!kept) return true
  // some browsers name none before one was opened in this page: then nothing is known to be gone
  const areNamed = devices.some(({ label }) => label !== '')
  const isGone = (kind: Device['kind'], id: string) => {
    if (!areNamed) return false
    const found = devices.filter((device) => device.kind === kind)
    return found.length === 0 || (id !== '' && !found.some((device) => device.id === id))
  }
  if (kept.microphone && (!permitted.microphone || isGone('audioinput', microphoneId))) return true
  return kept.camera && (!permitted.camera || isGone('videoinput', cameraId))
}
