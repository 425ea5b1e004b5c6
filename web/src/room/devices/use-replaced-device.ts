import { useEffect, useRef, useState } from 'react'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/use-session.ts'
import type { Call } from '../../media/call-state.ts'
import { type Device, deviceInUse, replacementOf } from '../../media/devices/device-choice.ts'
import { devices } from '../../media/devices/devices.ts'

const KINDS = [
  { kind: 'audioinput', preference: 'microphoneId' },
  { kind: 'videoinput', preference: 'cameraId' },
  { kind: 'audiooutput', preference: 'speakerId' },
] as const

export interface Replaced {
  gone: Device
  next: Device | undefined
}

/** Takes another device where the one in use is unplugged. @returns what became of it, until it is forgotten */
export function useReplacedDevice(call: Call): [Replaced | undefined, () => void] {
  const now = useStore(devices)
  const before = useRef(now)
  const [replaced, setReplaced] = useState<Replaced>()
  useEffect(() => {
    for (const { kind, preference } of KINDS) {
      const usedId = deviceInUse(before.current, kind, preferences.get()[preference])
      const found = replacementOf(before.current, now, kind, usedId)
      if (!found) continue
      const id = found.next?.id ?? ''
      preferences.change({ [preference]: id })
      void call.chooseDevice(kind, id)
      setReplaced(found)
    }
    before.current = now
  }, [now, call])
  return [replaced, () => setReplaced(undefined)]
}
