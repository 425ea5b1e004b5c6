import type { SuccessBody } from '@atrium/client'
import { usePeople } from '@atrium/react'
import { useRef, useState } from 'react'
import { Select } from '../ui/fields/select.tsx'
import { Problem } from '../ui/state.tsx'
import { useFilmWords } from '../words/film.ts'
import { ChapterList } from './chapter-list.tsx'
import { SpeechStrip } from './speech-strip.tsx'
import { Transcript } from './transcript.tsx'
import { useFilmAddress } from './use-film-address.ts'

const SPEEDS = ['0.75', '1', '1.25', '1.5', '2'] as const
type Speed = (typeof SPEEDS)[number]

export interface FilmPlayerProps {
  recording: SuccessBody<'getRecording'>
  title: string
}

/** The film with its chapters: the browser's own player, which is there for every key and reader. */
export function FilmPlayer({ recording, title }: FilmPlayerProps) {
  const words = useFilmWords()
  const video = useRef<HTMLVideoElement>(null)
  const { url, problem, renew } = useFilmAddress(recording.id, video)
  const [speed, setSpeed] = useState<Speed>('1')
  const { people } = usePeople()
  const { chapters, durationSeconds } = recording
  const nameOf = ({ userId, guest, text }: Partial<(typeof chapters)[number]>) =>
    people.find(({ id }) => id === userId)?.displayName || guest?.name || text || words.nobodyKnown
  const play = (rate: Speed) => {
    setSpeed(rate)
    if (video.current) video.current.playbackRate = Number(rate)
  }
  const goTo = (at: number) => {
    if (!video.current) return
    video.current.currentTime = at
    // where the browser wants to be asked first, the player stands at the moment
    video.current.play().catch(() => {})
  }
  return (
    <div className="film">
      {/* biome-ignore lint/a11y/useMediaCaption: what is said stands below, where it is written down */}
      <video
        ref={video}
        className="film-picture"
        src={url}
        aria-label={title}
        controls
        preload="metadata"
        onError={renew}
        // another address begins at the usual speed
        onLoadedMetadata={() => play(speed)}
      />
      <Problem>{problem}</Problem>
      <Select
        label={words.speed}
        options={SPEEDS.map((id) => ({ id, label: words.times(Number(id)) }))}
        value={speed}
        onChange={play}
      />
      <SpeechStrip chapters={chapters} nameOf={nameOf} durationSeconds={durationSeconds ?? 0} />
      <ChapterList chapters={chapters} nameOf={nameOf} onChoose={goTo} />
      <Transcript recording={recording} nameOf={nameOf} onChoose={goTo} />
    </div>
  )
}
