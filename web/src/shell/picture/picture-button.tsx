import { lazy, Suspense, useState } from 'react'
import { FileButton } from '../../ui/file-button.tsx'

/** Loaded when a picture is chosen first. */
const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

export interface PictureButtonProps {
  label: string
  busy: boolean
  /** It is shown as a circle. */
  round?: boolean
  onPicture(picture: Blob): void
}

/** Offers the choice of a picture from the device, and of the square of it that is shown. */
export function PictureButton({ label, busy, round = false, onPicture }: PictureButtonProps) {
  const [file, setFile] = useState<File>()
  const close = () => setFile(undefined)
  const use = (picture: Blob) => {
    close()
    onPicture(picture)
  }
  return (
    <>
      <FileButton label={label} accept="image/*" busy={busy} onChoose={setFile} />
      {file && (
        <Suspense>
          <CropDialog file={file} round={round} onClose={close} onUse={use} />
        </Suspense>
      )}
    </>
  )
}
