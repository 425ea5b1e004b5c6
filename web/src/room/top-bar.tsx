import { Link } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { pagePaths } from '../../page-paths.ts'
import type { PersonInCall } from '../media/call-state.ts'
import { floatingPicture } from '../media/floating-picture.ts'
import type { SealingState } from '../media/sealing/sealing.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { useStageWords } from '../words/stage.ts'
import { RecordingMark } from './recording/recording-mark.tsx'
import './top-bar.css'
import { lazyPart } from '../live/page/patient-import.ts'

/** Loaded for sealed rooms alone. */
const SealedMark = lazyPart(() => import('./sealed/sealed-mark.tsx'), 'SealedMark')

export interface TopBarProps {
  title: string
  people: readonly PersonInCall[]
  bots: readonly PersonInCall[]
  sealing: SealingState | undefined
  onAcceptKeys(): void
  recording: boolean
  /** Milliseconds by the office's clock; undefined where it is not known. */
  recordedSince: number | undefined
  /** Whether what is said is written down. */
  captionsMade: boolean
  locked: boolean
  /** Guests have none to go to. */
  hasFloor: boolean
  /** What is worth looking at most. */
  watched: PersonInCall | undefined
  fullScreen: { isFull: boolean; toggle: (() => void) | undefined }
}

/** Where one is, and who shows something. */
export function TopBar(props: TopBarProps) {
  const {
    title,
    people,
    bots,
    sealing,
    onAcceptKeys,
    recording,
    recordedSince,
    locked,
    hasFloor,
    watched,
    fullScreen,
  } = props
  const words = useStageWords()
  return (
    <div className="top-bar">
      {hasFloor && (
        <Link
          to={pagePaths.floor}
          viewTransition
          className="top-bar-back"
          aria-label={words.toFloor}
          title={words.toFloor}
        >
          <Icon name="left" />
        </Link>
      )}
      <PageHeading title={title}>
        {locked && (
          <span className="top-bar-locked" role="img" aria-label={words.locked} title={words.locked}>
            <Icon name="lock" size={16} />
          </span>
        )}
        {sealing && (
          <Suspense>
            <SealedMark {...{ sealing, people }} onAccept={onAcceptKeys} />
          </Suspense>
        )}
        {recording && <RecordingMark since={recordedSince} />}
        {props.captionsMade && <CaptionsMark />}
        <About {...{ people, bots }} />
      </PageHeading>
      <PictureButtons {...{ watched, fullScreen }} />
    </div>
  )
}

/** A picture that floats above other windows, and the whole screen. */
function PictureButtons({ watched, fullScreen }: Pick<TopBarProps, 'watched' | 'fullScreen'>) {
  const words = useStageWords()
  const track = watched?.screen ?? watched?.camera
  useEffect(() => floatingPicture.follow(track), [track])
  return (
    <div className="top-bar-buttons">
      {floatingPicture.isPossible() && track && (
        <IconButton
          icon="small-picture"
          label={words.smallPicture}
          onPress={() => void floatingPicture.toggle(track)}
        />
      )}
      {fullScreen.toggle && (
        <IconButton
          icon={fullScreen.isFull ? 'no-full-screen' : 'full-screen'}
          label={fullScreen.isFull ? words.endFullScreen : words.fullScreen}
          onPress={fullScreen.toggle}
        />
      )}
    </div>
  )
}

function CaptionsMark() {
  const { made } = useStageWords().captions
  return (
    <span className="top-bar-locked" role="img" aria-label={made} title={made}>
      <Icon name="captions" size={16} />
    </span>
  )
}

function About({ people, bots }: Pick<TopBarProps, 'people' | 'bots'>) {
  const words = useStageWords()
  const presents = people.some(({ isOwn, screen }) => isOwn && screen)
  const sharing = people.find(({ isOwn, screen }) => !isOwn && screen)
  const here = [words.here(people.length), ...(bots.length > 0 ? [words.bots(bots.length)] : [])]
  const about = sharing ? words.shares(sharing.name) : here.join(' · ')
  return (
    <span className="top-bar-about">
      {presents ? (
        <strong className="top-bar-presents">
          <Icon name="screen" size={16} />
          {words.youShare}
        </strong>
      ) : (
        about
      )}
    </span>
  )
}
