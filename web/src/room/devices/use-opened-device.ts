import { useEffect, useState } from 'react'
import { type DeviceProblem, deviceProblemOf } from '../../media/devices/device-problem.ts'
import { devices } from '../../media/devices/devices.ts'

export interface OpenedDevice {
  stream: MediaStream | undefined
  problem: DeviceProblem | undefined
}

const NOTHING: OpenedDevice = { stream: undefined, problem: undefined }

/** Opens a microphone or a camera as long as it is wanted, to be looked at before one goes in. */
export function useOpenedDevice(kind: 'audio' | 'video', wanted: boolean, deviceId: string): OpenedDevice {
  const [opened, setOpened] = useState(NOTHING)
  useEffect(() => {
    if (!wanted) return
    let isWanted = true
    let own: MediaStream | undefined
    open(kind, deviceId).then(
      (stream) => {
        own = stream
        if (!isWanted) return close(stream)
        setOpened({ stream, problem: undefined })
        void devices.refresh()
      },
      (error: unknown) => {
        if (isWanted) setOpened({ stream: undefined, problem: deviceProblemOf(error, isSecureContext) })
      },
    )
    return () => {
      isWanted = false
      close(own)
      setOpened(NOTHING)
    }
  }, [kind, wanted, deviceId])
  return opened
}

async function open(kind: 'audio' | 'video', deviceId: string): Promise<MediaStream> {
  return await navigator.mediaDevices.getUserMedia({
    [kind]: deviceId ? { deviceId: { ideal: deviceId } } : true,
  })
}

function close(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
