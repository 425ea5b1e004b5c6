import { randomUUID } from 'node:crypto'
import type { Caption, Report } from '../messages.ts'

/** Writes down a stretch of what one person says: Ogg with Opus. @returns its words; "" where nothing was understood */
export type Transcribe = (
  stretch: { sound: Uint8Array; seconds: number },
  signal: AbortSignal,
) => Promise<string>

type Spoken = Extract<Report, { report: 'spoken' }>

export interface LiveCaptions {
  /** A stretch of one connection. */
  take(spoken: Spoken): void
  /** Its person has left: what is on the way is of no use. */
  forget(sid: string): void
  close(): void
}

export interface LiveCaptionsNeeds {
  transcribe: Transcribe
  onHeard(sid: string, said: Omit<Caption, 'identity'>): void
  onWarning(error: unknown, message: string): void
}

/** A caption that comes later than this is of no use. */
const OF_USE_MS = 15_000
/** Of one person, beside the stretch that is being written down. A transcriber that is slower misses the oldest. */
const WAITING_MAX = 2
/** Of one caption, in characters. */
const TEXT_MAX = 2_000
const WARN_EVERY_MS = 60_000

interface Voice {
  waiting: Spoken[]
  isBusy: boolean
  readonly leaving: AbortController
}

/** Has written down what people say, each in order; what fails is left out. Nothing is kept. */
export function openLiveCaptions({ transcribe, onHeard, onWarning }: LiveCaptionsNeeds): LiveCaptions {
  const voices = new Map<string, Voice>()
  let warnedAt = Number.NEGATIVE_INFINITY
  /** Without the cause, which may repeat what was said. */
  const warn = () => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    onWarning(undefined, 'the transcriber failed: captions are missing')
  }
  const forget = (sid: string) => {
    voices.get(sid)?.leaving.abort()
    voices.delete(sid)
  }
  const work = async (voice: Voice) => {
    voice.isBusy = true
    for (let spoken = voice.waiting.shift(); spoken; spoken = voice.waiting.shift()) {
      const { sid, trackSid, seconds } = spoken
      const sound = Buffer.from(spoken.sound, 'base64')
      const signal = AbortSignal.any([voice.leaving.signal, AbortSignal.timeout(OF_USE_MS)])
      const said = await transcribe({ sound, seconds }, signal).catch(() => undefined)
      if (voice.leaving.signal.aborted) return
      if (said === undefined) warn()
      else if (said !== '')
        onHeard(sid, { id: `SG_${randomUUID()}`, trackSid, text: said.slice(0, TEXT_MAX) })
    }
    voice.isBusy = false
  }
  return {
    forget,
    take(spoken) {
      const voice = voices.get(spoken.sid) ?? { waiting: [], isBusy: false, leaving: new AbortController() }
      voices.set(spoken.sid, voice)
      voice.waiting = [...voice.waiting, spoken].slice(-WAITING_MAX)
      if (!voice.isBusy) void work(voice)
    },
    close() {
      for (const sid of [...voices.keys()]) forget(sid)
    },
  }
}
