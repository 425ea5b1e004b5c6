import { LiveKitRoom, VideoConference } from '@livekit/components-react'
import { Room } from 'livekit-client'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { arrivedSamples } from '../../arrived-sound.ts'

/** A page with LiveKit's own meeting, whole and unchanged; address and token come in its fragment. */

const given = new URLSearchParams(location.hash.slice(1))
const room = new Room({ adaptiveStream: true, dynacast: true })
const entered = { room, serverUrl: given.get('url'), token: given.get('token'), video: true, audio: true }
createRoot(document.getElementById('root') ?? document.body).render(
  createElement(LiveKitRoom, entered, createElement(VideoConference)),
)

async function samples(): Promise<number> {
  let sum = 0
  for (const person of room.remoteParticipants.values())
    for (const { track } of person.audioTrackPublications.values())
      for (const report of (await track?.receiver?.getStats())?.values() ?? []) sum += arrivedSamples(report)
  return sum
}

Object.assign(globalThis, { conferencePage: { samples } })
