import { ConnectionQualityUpdate, SpeakerInfo, SpeakersChanged } from '@livekit/protocol'
import { type Audience, seenBy, seesOthers } from './audience.ts'
import type { Report } from './messages.ts'
import type { Session } from './sessions/session.ts'

const SPEAKERS_EVERY_MS = 400
const QUALITY_EVERY_MS = 5_000
/** About -35 dB, as LiveKit's default. */
const SPEAKING_FROM = 0.0178

/** Tells a room, and the office, who speaks; and the room, how well its connections carry. @returns ends that */
export function followActivity(audience: Audience, report: (report: Report) => void): () => void {
  let speaking: ReadonlySet<string> = new Set()
  const speakers = setInterval(() => {
    const loudness = loudnessOf(audience.sessions)
    for (const sid of loudness.keys())
      if (!speaking.has(sid)) report({ report: 'speaking', sid, speaking: true })
    for (const sid of speaking) if (!loudness.has(sid)) report({ report: 'speaking', sid, speaking: false })
    tellSpeakers(audience, speaking, loudness)
    speaking = new Set(loudness.keys())
  }, SPEAKERS_EVERY_MS)
  const qualities = setInterval(() => tellQualities(audience), QUALITY_EVERY_MS)
  return () => {
    clearInterval(speakers)
    clearInterval(qualities)
  }
}

/** Of those who speak, by their connection. */
function loudnessOf(sessions: Iterable<Session>): ReadonlyMap<string, number> {
  const loudness = new Map<string, number>()
  for (const { person, tracks } of sessions) {
    const levels = tracks.list().map((publication) => publication.takeLoudness())
    const loudest = Math.max(0, ...levels)
    if (loudest >= SPEAKING_FROM) loudness.set(person.sid, loudest)
  }
  return loudness
}

function tellSpeakers(
  { sessions, recordings }: Audience,
  before: ReadonlySet<string>,
  loudness: ReadonlyMap<string, number>,
): void {
  const loudestFirst = [...loudness].sort(([, one], [, other]) => other - one).map(([sid]) => sid)
  for (const recording of recordings) recording.heard(loudestFirst)
  const concerned = new Set([...before, ...loudness.keys()])
  if (concerned.size === 0) return
  const speakers = [...concerned].map(
    (sid) => new SpeakerInfo({ sid, level: loudness.get(sid) ?? 0, active: loudness.has(sid) }),
  )
  for (const session of sessions)
    if (seesOthers(session))
      session.send({ case: 'speakersChanged', value: new SpeakersChanged({ speakers }) })
}

function tellQualities(audience: Audience): void {
  const all = [...audience.sessions].map((session) => ({ session, info: session.quality() }))
  for (const { session } of all) {
    const visible = new Set([session, ...seenBy(audience, session)])
    const seen = all.filter((one) => visible.has(one.session))
    const value = new ConnectionQualityUpdate({ updates: seen.map(({ info }) => info) })
    session.send({ case: 'connectionQuality', value })
  }
}
