import { useState } from 'react'
import { PictureButton } from '../shell/picture/picture-button.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { useFirstRunWords } from '../words/first-run.ts'
import { type ChosenFace, drawnFaces, faceOfFile } from './chosen-face.ts'
import type { OwnFace } from './own-face.ts'

interface FaceChoiceProps {
  face: OwnFace
  busy: boolean
  onChoose(face: ChosenFace): void
}

/** The face as others see it, and what it may be instead: a picture of one's own, or a drawn portrait. */
export function FaceChoice({ face, busy, onChoose }: FaceChoiceProps) {
  const words = useFirstRunWords()
  const drawn = drawnFaces(face.id)
  const [own, setOwn] = useState<ChosenFace>({ url: face.url })
  const faces = drawn.some(({ url }) => url === own.url) ? drawn : [own, ...drawn]
  const choosePicture = (picture: Blob) => {
    const next = faceOfFile(picture)
    setOwn(next)
    onChoose(next)
  }
  return (
    <>
      <div className="first-run-face">
        <Avatar id={face.id} name={face.name} url={face.url} size="large" />
        <div className="first-run-face-choice">
          <PictureButton
            label={words.choosePicture}
            cameraLabel={words.takePicture}
            busy={busy}
            round
            onPicture={choosePicture}
          />
        </div>
      </div>
      <fieldset className="first-run-drawn">
        <legend>{words.orDrawn}</legend>
        <div className="first-run-drawn-ones">
          {faces.map((one) => (
            <button
              key={one.url}
              type="button"
              aria-pressed={one.url === face.url}
              aria-label={drawn.includes(one) ? words.drawn(drawn.indexOf(one) + 1) : words.ownPicture}
              onClick={() => onChoose(one)}
            >
              <Avatar id={face.id} name={face.name} url={one.url} />
            </button>
          ))}
        </div>
      </fieldset>
    </>
  )
}
