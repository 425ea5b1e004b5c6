import type { VideoTrack } from 'livekit-client'

let element: HTMLVideoElement | undefined
let shown: VideoTrack | undefined

/** A picture of the room in a window of its own, above all other programs, where the browser has one. */
export const floatingPicture = {
  isPossible: (): boolean => document.pictureInPictureEnabled === true,
  isOpen: (): boolean => element !== undefined && document.pictureInPictureElement === element,
  /** To be called when something was pressed. Never rejects. */
  async toggle(track: VideoTrack): Promise<void> {
    if (this.isOpen()) return await document.exitPictureInPicture().catch(() => {})
    const video = element ?? newElement()
    element = video
    show(track)
    await video
      .play()
      .then(() => video.requestPictureInPicture())
      .catch(() => {})
  },
  /** Something else is worth looking at; undefined: nothing any more. */
  follow(track: VideoTrack | undefined): void {
    if (!this.isOpen()) return
    if (track) show(track)
    else void document.exitPictureInPicture().catch(() => {})
  },
}

function show(track: VideoTrack): void {
  if (!element || shown === track) return
  shown?.detach(element)
  shown = track
  track.attach(element)
}

function newElement(): HTMLVideoElement {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.className = 'visually-hidden'
  video.setAttribute('aria-hidden', 'true')
  video.addEventListener('leavepictureinpicture', () => {
    shown?.detach(video)
    shown = undefined
    video.remove()
    element = undefined
  })
  document.body.append(video)
  return video
}
