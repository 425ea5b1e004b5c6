import { PictureRefused, uploadPicture } from '@atrium/client/picture'
import { useState } from 'react'
import { usePictureWords } from '../words/picture.ts'
import { client, readSession } from './office-client.ts'
import { type Action, useAction } from './use-action.ts'

export interface PictureActions {
  upload: Action<[picture: Blob]>
  remove: Action<[]>
  /** The part that is sent, from 0 to 1; undefined where nothing is. */
  part: number | undefined
  /** A sentence about whichever went wrong. */
  problem: string | undefined
}

/** Puts a picture in place, as one's own or as the logo of the organization, and takes it away. */
export function usePicture(place: 'avatar' | 'logo'): PictureActions {
  const words = usePictureWords()
  const [refused, setRefused] = useState<PictureRefused['reason']>()
  const [part, setPart] = useState<number>()
  const upload = useAction(async (picture: Blob) => {
    setRefused(undefined)
    try {
      await uploadPicture(client, place, picture, { onProgress: setPart })
      await readSession()
    } catch (error) {
      if (!(error instanceof PictureRefused)) throw error
      setRefused(error.reason)
    } finally {
      setPart(undefined)
    }
  })
  const remove = useAction(async () => {
    await client.call(place === 'avatar' ? 'removeAvatar' : 'removeLogo')
    await readSession()
  })
  const problem = refused ? words.refused[refused] : (upload.problem ?? remove.problem)
  return { upload, remove, part, problem }
}
