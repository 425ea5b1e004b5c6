import { uploadPicture } from '@atrium/client/picture'
import { client } from '../live/office-client.ts'
import { pictureOfPortrait } from '../shell/picture/portrait-picture.ts'
import { portraitOf } from '../ui/portrait.ts'

/** A picture that was chosen, and is not sent before the step is done. */
export interface ChosenFace {
  /** Its address on this page; "": the portrait that is drawn for the person, which needs no picture. */
  url: string
  /** Makes what is sent; left out where nothing is. */
  picture?: () => Promise<Blob>
}

const DRAWN_COUNT = 6

/** Drawn portraits to choose from: the person's own one first. */
export function drawnFaces(id: string): readonly ChosenFace[] {
  const others = Array.from({ length: DRAWN_COUNT - 1 }, (_, at) => `${id} ${at + 1}`)
  return [
    { url: '' },
    ...others.map((other) => ({ url: portraitOf(other), picture: () => pictureOfPortrait(other) })),
  ]
}

export function faceOfFile(picture: Blob): ChosenFace {
  return { url: URL.createObjectURL(picture), picture: async () => picture }
}

/** @param before the picture that the person has; "" where there is none */
export async function saveFace({ url, picture }: ChosenFace, before: string): Promise<void> {
  if (picture) await uploadPicture(client, 'avatar', await picture())
  else if (url === '' && before !== '') await client.call('removeAvatar')
}
