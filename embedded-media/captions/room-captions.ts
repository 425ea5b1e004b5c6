import { Encryption_Type, TrackSource } from '@livekit/protocol'
import type { Person, Report } from '../messages.ts'
import type { RoomRecording } from '../recording/room-recording.ts'
import type { Stretch } from '../recording/speech/stretches.ts'
import type { OnFault } from '../timers.ts'
import type { Publication } from '../tracks/publication.ts'
import { openLiveStretches } from './live-stretches.ts'

/** So long after a person has been told that captions are made, what they say is written down. */
const TOLD_BEFORE_MS = 3_000

export interface RoomCaptionsOptions {
  report(report: Report): void
  onFault: OnFault
}

/** Listens to the microphones of a room while captions are wanted: a recording that keeps nothing. */
export function openRoomCaptions({ report, onFault }: RoomCaptionsOptions): RoomRecording {
  const toldAt = new Map<string, number>()
  const heard = new Map<Publication, () => void>()
  let isOver = false
  const forget = (publication: Publication) => {
    heard.get(publication)?.()
    heard.delete(publication)
  }
  return {
    entered({ sid }) {
      if (!toldAt.has(sid)) toldAt.set(sid, performance.now())
    },
    left: ({ sid }) => void toldAt.delete(sid),
    published(publication, { sid }) {
      if (!isOpenMicrophone(publication)) return
      const stretches = openLiveStretches({
        async onStretch(stretch) {
          const spoken = await spokenOf({ sid }, publication, stretch)
          if (!isOver) report(spoken)
        },
        onFault,
      })
      const stop = publication.listen({
        take(packet) {
          const since = toldAt.get(sid)
          const isTold = since !== undefined && performance.now() - since > TOLD_BEFORE_MS
          if (isTold && !publication.info.muted) stretches.take(packet)
        },
        wanted: () => undefined,
      })
      forget(publication)
      heard.set(publication, () => {
        stop()
        stretches.end()
      })
    },
    unpublished: forget,
    heard() {},
    async end() {
      isOver = true
      for (const publication of [...heard.keys()]) forget(publication)
    },
  }
}

async function spokenOf(
  { sid }: Pick<Person, 'sid'>,
  { info }: Publication,
  stretch: Stretch,
): Promise<Extract<Report, { report: 'spoken' }>> {
  // what writes files is loaded where captions are made, and not before
  const { oggOf } = await import('../recording/speech/ogg.ts')
  const sound = Buffer.from(await oggOf(stretch)).toString('base64')
  const seconds = (stretch.toMs - stretch.fromMs) / 1_000
  return { report: 'spoken', sid, trackSid: info.sid, seconds, sound }
}

function isOpenMicrophone({ info }: Publication): boolean {
  return info.source === TrackSource.MICROPHONE && info.encryption === Encryption_Type.NONE
}
