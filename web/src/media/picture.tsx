import type { VideoTrack } from 'livekit-client'
import { type RefObject, useEffect, useRef } from 'react'
import { classNames } from '../ui/class-names.ts'

export interface PictureProps {
  track: VideoTrack
  /** One's own camera, as in a mirror. */
  isMirrored?: boolean
  /** Told how wide it is for its height, as soon as that is known, and when it changes. */
  onShape?: (ratio: number) => void
  videoRef?: RefObject<HTMLVideoElement | null>
}

/** What a track shows. Says nothing: its name stands beside it. */
export function Picture({ track, isMirrored = false, onShape, videoRef }: PictureProps) {
  const own = useRef<HTMLVideoElement>(null)
  const video = videoRef ?? own
  useEffect(() => {
    const element = video.current
    if (!element) return
    track.attach(element)
    return () => {
      track.detach(element)
    }
  }, [track, video])
  useEffect(() => {
    const element = video.current
    if (!element || !onShape) return
    const tell = () => element.videoHeight > 0 && onShape(element.videoWidth / element.videoHeight)
    tell()
    element.addEventListener('resize', tell)
    return () => element.removeEventListener('resize', tell)
  }, [video, onShape])
  return <video ref={video} className={classNames(isMirrored && 'mirrored')} autoPlay muted playsInline />
}
