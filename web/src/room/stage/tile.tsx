import type { VideoTrack } from 'livekit-client'
import { useEffect, useRef } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { de } from '../../words/de/room.ts'
import { en } from '../../words/en/room.ts'
import { useWords } from '../../words/use-words.ts'
import type { Shown } from './stage-layout.ts'
import './tile.css'

/** Somebody, or the screen they share: with their name, and what they can be heard of. */
export function Tile({ shown: { person, what }, avatarUrl }: { shown: Shown; avatarUrl: string }) {
  const words = useWords({ en, de })
  const { identity, name, isOwn, isGuest, microphone, speaking, connection, camera, screen } = person
  const track = what === 'screen' ? screen : camera
  const about = [isOwn && words.you, isGuest && words.guest].filter(Boolean).join(', ')
  const screenName = isOwn ? words.ownScreen : words.screenOf(name)
  return (
    <div
      className={classNames(
        'tile',
        what === 'screen' && 'tile-screen',
        what === 'person' && speaking && 'tile-speaking',
      )}
    >
      {/* behind the picture too, as long as that is on its way */}
      <Avatar id={isGuest ? name : personIdOf(identity)} name={name} url={avatarUrl} size="large" />
      {track && <Picture track={track} isMirrored={isOwn && what === 'person'} />}
      <p className="tile-name">
        {what === 'person' && !microphone && (
          <>
            <Icon name="microphone-off" size={16} />
            <span className="visually-hidden">{words.muted}: </span>
          </>
        )}
        <span className="tile-name-text">
          {what === 'screen' ? screenName : name}
          {what === 'person' && about && ` (${about})`}
        </span>
        {what === 'person' && speaking && <span className="visually-hidden"> {words.speaking}</span>}
        {what === 'person' && (connection === 'poor' || connection === 'lost') && (
          <span className="tile-connection">
            <Icon name="warning" size={14} />
            {connection === 'poor' ? words.weak : words.lost}
          </span>
        )}
      </p>
    </div>
  )
}

function Picture({ track, isMirrored }: { track: VideoTrack; isMirrored: boolean }) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current
    if (!element) return
    track.attach(element)
    return () => {
      track.detach(element)
    }
  }, [track])
  return <video ref={video} className={classNames(isMirrored && 'mirrored')} autoPlay muted playsInline />
}

/** A second connection of somebody carries a mark behind their id. */
function personIdOf(identity: string): string {
  return identity.split('#')[0] ?? identity
}
