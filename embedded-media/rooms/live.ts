import { refreshedToken } from '../api/access-tokens.ts'
import { type LiveCaptions, openLiveCaptions, type Transcribe } from '../captions/live-captions.ts'
import {
  type ConnectionReport,
  type MediaProcess,
  startMediaProcess,
} from '../process/start-media-process.ts'
import { guarded } from '../timers.ts'
import type { Heard, LiveNeeds } from './live-rooms.ts'
import { openRemoteCalls } from './remote-calls.ts'
import type { Participant, Room } from './rooms.ts'

/** The participants with a connection, for the functions that work on them. */
export interface Live extends Pick<LiveNeeds, 'rooms' | 'limits' | 'onActivity'> {
  media: MediaProcess
  calls: ReturnType<typeof openRemoteCalls>
  captions: LiveCaptions | undefined
  /** By the sid of the connection. */
  inside: Map<string, Inside>
  speaking: Set<string>
  onFault(error: unknown): void
  /** Gives a connection a fresh token. */
  refresh(room: Room, participant: Participant): void
}

export interface Inside {
  room: Room
  participant: Participant
}

export function openLive({ rooms, limits, clock, apiKey, apiSecret, onWarning, ...needs }: LiveNeeds): Live {
  const { onActivity, onRecorded, onEnded, transcribe } = needs
  const calls = openRemoteCalls()
  const inside = new Map<string, Inside>()
  const media: MediaProcess = startMediaProcess({
    ...(limits.address === undefined ? {} : { address: limits.address }),
    ...{ cameras: limits.cameras, onRecorded, onWarning },
    onReport: (report) => hear(live, report),
    onEnded() {
      for (const { room, participant } of [...inside.values()])
        rooms.leave(room, participant, 'SERVER_SHUTDOWN')
      inside.clear()
      calls.giveUp()
      onEnded()
    },
  })
  const onFault = (error: unknown) => onWarning(error, 'a token of a room was not refreshed')
  const live: Live = {
    ...{ rooms, limits, onActivity, media, calls, inside, speaking: new Set(), onFault },
    captions: transcribe && captionsOf({ inside, media }, { transcribe, onWarning }),
    refresh: (room, participant) =>
      guarded(async () => {
        const what = { room: room.name, participant, now: clock.now() }
        const token = await refreshedToken({ apiKey, apiSecret }, what)
        if (inside.has(participant.sid)) media.send({ order: 'refresh', sid: participant.sid, token })
      }, onFault),
  }
  return live
}

/** Takes over what a connection reports. */
function hear(live: Live, report: ConnectionReport): void {
  const found = live.inside.get(report.sid)
  if (!found) return
  const { room, participant } = found
  switch (report.report) {
    case 'active':
      live.refresh(room, participant)
      return void live.rooms.activate(room, participant)
    case 'left':
      live.inside.delete(report.sid)
      live.speaking.delete(report.sid)
      live.captions?.forget(report.sid)
      return void live.rooms.leave(room, participant, report.reason)
    case 'called':
      return void live.calls.hear(report.answer)
    case 'spoken':
      return void live.captions?.take(report)
    case 'described': {
      const { name, metadata, attributes } = report
      Object.assign(participant, { name, metadata, attributes })
      return void live.refresh(room, participant)
    }
    default:
      hearOfMedia(live, found, report)
      tell(live, room, participant)
  }
}

/** What changes how a participant is in the room. */
function hearOfMedia(
  { rooms, speaking }: Live,
  { room, participant }: Inside,
  report: Extract<ConnectionReport, { report: 'published' | 'unpublished' | 'muted' | 'speaking' }>,
): void {
  if (report.report === 'published') return void rooms.publish(room, participant, report.track)
  if (report.report === 'speaking') {
    if (report.speaking) speaking.add(report.sid)
    else speaking.delete(report.sid)
    return
  }
  const track = participant.tracks.get(report.trackSid)
  if (track && report.report === 'unpublished') rooms.unpublish(room, participant, track)
  else if (track && report.report === 'muted') track.muted = report.muted
}

export function tell(
  { onActivity, speaking }: Live,
  room: Room,
  { sid, identity, tracks }: Participant,
): void {
  onActivity?.({ room: room.name, identity, sound: soundOf(tracks), speaking: speaking.has(sid) })
}

/** Captions of those who are inside, sent to their rooms. */
function captionsOf(
  { inside, media }: { inside: ReadonlyMap<string, Inside>; media: Pick<MediaProcess, 'send'> },
  needs: { transcribe: Transcribe; onWarning: LiveNeeds['onWarning'] },
): LiveCaptions {
  return openLiveCaptions({
    ...needs,
    onHeard(sid, said) {
      const found = inside.get(sid)
      if (!found) return
      const { room, participant } = found
      const caption = { ...said, identity: participant.identity }
      media.send({ order: 'caption', room: room.sid, caption })
    },
  })
}

function soundOf(tracks: Participant['tracks']): Heard['sound'] {
  const microphones = [...tracks.values()].filter(({ source }) => source === 'MICROPHONE')
  if (microphones.length === 0) return 'off'
  return microphones.every(({ muted }) => muted) ? 'muted' : 'on'
}
