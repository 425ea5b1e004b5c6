import { useEffect, useState } from 'react'
import { type CaptureProblem, captureProblemOf } from '../media/capture-problem.ts'
import { devices } from '../media/devices.ts'

export interface Capture {
  stream: MediaStream | undefined
  problem: CaptureProblem | undefined
}

const NOTHING: Capture = { stream: undefined, problem: undefined }

/** Opens a microphone or a camera as long as it is wanted, to be looked at before one goes in. */
export function useCapture(kind: 'audio' | 'video', wanted: boolean, deviceId: string): Capture {
  const [capture, setCapture] = useState(NOTHING)
  useEffect(() => {
    if (!wanted) return
    let isWanted = true
    let opened: MediaStream | undefined
    open(kind, deviceId).then(
      (stream) => {
        opened = stream
        if (!isWanted) return close(stream)
        setCapture({ stream, problem: undefined })
        void devices.refresh()
      },
      (error: unknown) => {
        if (isWanted) setCapture({ stream: undefined, problem: captureProblemOf(error, isSecureContext) })
      },
    )
    return () => {
      isWanted = false
      close(opened)
      setCapture(NOTHING)
    }
  }, [kind, wanted, deviceId])
  return capture
}

async function open(kind: 'audio' | 'video', deviceId: string): Promise<MediaStream> {
  return await navigator.mediaDevices.getUserMedia({ [kind]: deviceId ? { deviceId: { ideal: deviceId } } : true })
}

function close(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
