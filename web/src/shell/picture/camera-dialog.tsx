import { type RefObject, useEffect, useRef, useState } from 'react'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { Problem } from '../../ui/state.tsx'
import { usePictureWords } from '../../words/picture.ts'
import { drawnCanvas } from './canvas.ts'
import './camera-dialog.css'

export interface CameraDialogProps {
  onClose(): void
  onTake(picture: File): void
}

/** Takes a picture with a camera of the device. The camera is off again as soon as the dialog is closed. */
export function CameraDialog({ onClose, onTake }: CameraDialogProps) {
  const words = usePictureWords()
  const video = useRef<HTMLVideoElement>(null)
  const state = useCamera(video)
  const take = useAction(async () => {
    if (video.current) onTake(await frameOf(video.current))
  })
  return (
    <Dialog title={words.cameraTitle} isOpen onClose={onClose}>
      <video ref={video} className="camera-picture mirrored" autoPlay muted playsInline />
      <Problem>{state === 'refused' ? words.noCamera : take.problem}</Problem>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="primary" busy={take.busy} isDisabled={state !== 'open'} onPress={() => void take.run()}>
          {words.take}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

function useCamera(video: RefObject<HTMLVideoElement | null>): 'opening' | 'open' | 'refused' {
  const [state, setState] = useState<'opening' | 'open' | 'refused'>('opening')
  useEffect(() => {
    let wanted = true
    let stream: MediaStream | undefined
    const close = () => stream?.getTracks().forEach((track) => void track.stop())
    openCamera().then(
      (opened) => {
        stream = opened
        if (!wanted || !video.current) return close()
        video.current.srcObject = opened
        video.current.onloadeddata = () => setState('open')
      },
      () => wanted && setState('refused'),
    )
    return () => {
      wanted = false
      close()
    }
  }, [video])
  return state
}

/** Without encryption a browser has no cameras. */
async function openCamera(): Promise<MediaStream> {
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
  if (!mediaDevices) throw new Error('no cameras here')
  return await mediaDevices.getUserMedia({ video: { facingMode: 'user', height: { ideal: 720 } } })
}

/** What the camera shows, the way round that others see it. */
async function frameOf(video: HTMLVideoElement): Promise<File> {
  const size = { width: video.videoWidth, height: video.videoHeight }
  const canvas = drawnCanvas(size, (context) => context.drawImage(video, 0, 0))
  const type = 'image/jpeg'
  return new File([await canvas.convertToBlob({ type, quality: 0.97 })], 'camera.jpg', { type })
}
