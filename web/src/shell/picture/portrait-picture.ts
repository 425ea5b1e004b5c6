import { portraitOf } from '../../ui/portrait.ts'
import { drawnCanvas } from './canvas.ts'

/** Pixels of a side. */
const SIDE = 512

/** A drawn portrait as a picture that can be sent. In browsers only. */
export async function pictureOfPortrait(id: string): Promise<Blob> {
  const drawn = decodeURIComponent(portraitOf(id).replace(/^[^,]+,/, ''))
  const image = new Image(SIDE, SIDE)
  // Firefox paints no drawing without a size
  const sized = drawn.replace('<svg ', `<svg width="${SIDE}" height="${SIDE}" `)
  image.src = `data:image/svg+xml,${encodeURIComponent(sized)}`
  await image.decode()
  const canvas = drawnCanvas({ width: SIDE, height: SIDE }, (context) =>
    context.drawImage(image, 0, 0, SIDE, SIDE),
  )
  return await canvas.convertToBlob({ type: 'image/png' })
}
