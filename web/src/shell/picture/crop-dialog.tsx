import { pictureRules } from '@atrium/client/picture'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useAction } from '../../live/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Slider } from '../../ui/fields/slider.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { Loading, Problem } from '../../ui/state.tsx'
import { usePictureWords } from '../../words/picture.ts'
import { drawnCanvas } from './canvas.ts'
import {
  type Crop,
  isLargeEnough,
  maxZoom,
  moved,
  placed,
  placeOf,
  wholeCrop,
  zoomed,
  zoomOf,
} from './crop.ts'
import './crop-dialog.css'

export interface CropDialogProps {
  file: File
  round: boolean
  onClose(): void
  onUse(picture: Blob): void
}

/** Asks which square of a picture is shown. */
export function CropDialog({ file, round, onClose, onUse }: CropDialogProps) {
  const words = usePictureWords()
  const { image, refused } = useImage(file)
  return (
    <Dialog title={words.cropTitle} isOpen onClose={onClose}>
      {refused && (
        <>
          <Problem>{words.refused[refused]}</Problem>
          <DialogButtons>
            <Button onPress={onClose}>{words.cancel}</Button>
          </DialogButtons>
        </>
      )}
      {!image && !refused && <Loading label={words.opening} />}
      {image && <Cropping {...{ file, image, round, onClose, onUse }} />}
    </Dialog>
  )
}

function Cropping({ file, image, round, onClose, onUse }: CropDialogProps & { image: ImageBitmap }) {
  const words = usePictureWords()
  const [crop, setCrop] = useState(() => wholeCrop(image))
  const { across, down } = placeOf(crop, image)
  const use = useAction(async () => onUse(await cut(image, crop, file.type)))
  return (
    <>
      <p className="soft">{words.cropAbout}</p>
      <Stage {...{ image, crop, round }} onCrop={setCrop} />
      <Slider
        label={words.zoom}
        value={zoomOf(crop, image)}
        {...{ min: 1, max: maxZoom(image) }}
        onChange={(zoom) => setCrop(zoomed(crop, image, zoom))}
      />
      <Slider
        label={words.across}
        value={across}
        isDisabled={image.width <= crop.side}
        onChange={(to) => setCrop(placed(crop, image, { across: to }))}
      />
      <Slider
        label={words.down}
        value={down}
        isDisabled={image.height <= crop.side}
        onChange={(to) => setCrop(placed(crop, image, { down: to }))}
      />
      <Problem>{use.problem}</Problem>
      <DialogButtons>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="primary" busy={use.busy} onPress={() => void use.run()}>
          {words.use}
        </Button>
      </DialogButtons>
    </>
  )
}

interface StageProps {
  image: ImageBitmap
  crop: Crop
  round: boolean
  onCrop(crop: Crop): void
}

/** As it will look. The picture is dragged under it; the sliders do the same without a pointer. */
function Stage({ image, crop, round, onCrop }: StageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const { current } = canvas
    const context = current?.getContext('2d')
    if (!current || !context) return
    context.imageSmoothingQuality = 'high'
    context.clearRect(0, 0, current.width, current.height)
    context.drawImage(image, crop.x, crop.y, crop.side, crop.side, 0, 0, current.width, current.height)
  }, [image, crop])
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return
    const scale = crop.side / event.currentTarget.clientWidth
    onCrop(moved(crop, image, -event.movementX * scale, -event.movementY * scale))
  }
  return (
    <div className={classNames('crop-stage', round && 'crop-stage-round')} aria-hidden="true">
      <canvas ref={canvas} width={STAGE} height={STAGE} onPointerMove={drag} />
    </div>
  )
}

/** Pixels of a side: sharp on dense screens too. */
const STAGE = 480

type Refused = 'unreadable' | 'too-small'

/** The picture of a file, or why there is none. */
function useImage(file: File): { image?: ImageBitmap; refused?: Refused } {
  const [state, setState] = useState<{ image?: ImageBitmap; refused?: Refused }>({})
  useEffect(() => {
    let wanted = true
    let opened: ImageBitmap | undefined
    createImageBitmap(file).then(
      (image) => {
        opened = image
        if (!wanted) return image.close()
        setState(isLargeEnough(image) ? { image } : { refused: 'too-small' })
      },
      () => wanted && setState({ refused: 'unreadable' }),
    )
    return () => {
      wanted = false
      opened?.close()
    }
  }, [file])
  return state
}

/** The chosen square as a picture of its own, of at most the size that is kept. */
async function cut(image: ImageBitmap, { x, y, side }: Crop, type: string): Promise<Blob> {
  const to = Math.min(Math.round(side), pictureRules.maxSide)
  const canvas = drawnCanvas({ width: to, height: to }, (context) => {
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, x, y, side, side, 0, 0, to, to)
  })
  // what may be see-through stays so; it is written once more when it is sent
  return await canvas.convertToBlob(type === 'image/jpeg' ? { type, quality: 0.97 } : { type: 'image/png' })
}
