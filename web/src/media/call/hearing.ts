import { type RemoteTrack, type Room, Track } from 'livekit-client'
import { closeOpenedTracks } from '../devices/opened-tracks.ts'

/** Plays the sound of a track. */
export function hear(track: RemoteTrack): void {
  if (track.kind !== Track.Kind.Audio) return
  const element = track.attach()
  element.hidden = true
  document.body.append(element)
}

export function unhear(track: RemoteTrack): void {
  if (track.kind === Track.Kind.Audio) for (const element of track.detach()) element.remove()
}

export function silence(room: Room): void {
  for (const { audioTrackPublications } of room.remoteParticipants.values())
    for (const { track } of audioTrackPublications.values()) if (track) unhear(track as RemoteTrack)
}

/** Nothing of it is heard or told any more, and what it had open is closed. */
export function letGo(room: Room): void {
  room.removeAllListeners()
  silence(room)
  closeOpenedTracks(room)
  void room.disconnect().catch(() => {})
}
