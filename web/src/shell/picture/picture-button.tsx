import { Suspense, useState } from 'react'
import { lazyPart } from '../../live/page/patient-import.ts'
import { Button } from '../../ui/button.tsx'
import { FileButton } from '../../ui/file-button.tsx'

/** Loaded when a picture is chosen first. */
const CropDialog = lazyPart(() => import('./crop-dialog.tsx'), 'CropDialog')
const CameraDialog = lazyPart(() => import('./camera-dialog.tsx'), 'CameraDialog')

export interface PictureButtonProps {
  label: string
  /** Of a second button, which takes a picture with a camera; left out: there is none. */
  cameraLabel?: string
  busy: boolean
  /** It is shown as a circle. */
  round?: boolean
  onPicture(picture: Blob): void
}

/** Offers the choice of a picture from the device or its camera, and of the square of it that is shown. */
export function PictureButton({ label, cameraLabel, busy, round = false, onPicture }: PictureButtonProps) {
  const [file, setFile] = useState<File>()
  const [isTaking, setTaking] = useState(false)
  const close = () => {
    setFile(undefined)
    setTaking(false)
  }
  const take = (picture: File) => {
    setTaking(false)
    setFile(picture)
  }
  const use = (picture: Blob) => {
    close()
    onPicture(picture)
  }
  return (
    <>
      {cameraLabel && (
        <Button small icon="camera" onPress={() => setTaking(true)}>
          {cameraLabel}
        </Button>
      )}
      <FileButton label={label} accept="image/*" busy={busy} onChoose={setFile} />
      <Suspense>
        {isTaking && <CameraDialog onClose={close} onTake={take} />}
        {file && <CropDialog file={file} round={round} onClose={close} onUse={use} />}
      </Suspense>
    </>
  )
}
