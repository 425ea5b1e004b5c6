import type { NewWork } from '../../../platform/background/work-items.ts'
import { workQueue } from '../../../platform/background/work-payload.ts'
import type { Work, WorkQueue } from '../../../platform/background/work-queue.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { Type } from '../../../platform/schema.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import type { TranscriberPort } from '../../../ports/transcriber.ts'
import { readRecording } from '../store.ts'
import { type StoredWord, storedSpeaker } from '../watching/speaker.ts'
import { type Speech, unpack } from './speech-parcel.ts'
import { endTranscript } from './transcript-store.ts'

export interface TranscriptQueueNeeds {
  db: Db
  storage: Pick<ObjectStoragePort, 'open' | 'remove'>
  /** Undefined: nothing writes down what is said, any more. */
  transcriber: TranscriberPort | undefined
}

const QUEUE = 'transcripts'
const LANES = 2
/** With pauses that double: about seven hours. */
const ATTEMPTS_MAX = 10
/** A stretch is asked again at once: one answer that was lost does not begin the whole recording anew. */
const STRETCH_ATTEMPTS = 3
/** Of one recording: what several people say in five hours. */
const WORDS_MAX = 60_000

const Payload = Type.Object({ recording: Type.String(), key: Type.String() })

/** A transcript to make. In the transaction that says so. */
export function transcriptWork(
  { id, organization, key }: { id: string; organization: OrganizationId; key: string },
  now: Date,
): NewWork {
  return { queue: QUEUE, organization, key: id, payload: { recording: id, key }, now }
}

/** Has written down what was said in recordings, one stretch after the other, and removes the sound. */
export function transcriptQueue(needs: TranscriptQueueNeeds): WorkQueue {
  return workQueue({
    name: QUEUE,
    lanes: { default: LANES },
    retry: { firstSeconds: 30, lastSeconds: 7_200 },
    // an answer of the transcriber repeats what was said
    confidential: true,
    payload: Payload,
    async handle(work) {
      const { organization, payload } = work
      if (!organization) return
      const recording = await readRecording(needs.db, organization, { id: payload.recording })
      const words = recording?.transcript === 'waiting' ? await wordsOrNone(needs, work) : null
      await transaction(needs.db, (tx) => endTranscript(tx, organization, payload.recording, words))
      await needs.storage.remove([payload.key])
    },
  })
}

type TranscriptWork = Work<{ recording: string; key: string }>

/** @returns null where it is given up */
async function wordsOrNone(needs: TranscriptQueueNeeds, work: TranscriptWork): Promise<StoredWord[] | null> {
  if (!needs.transcriber || work.attempts > ATTEMPTS_MAX) return null
  try {
    return await wordsOf({ ...needs, transcriber: needs.transcriber }, work)
  } catch (error) {
    if (work.signal.aborted || work.attempts < ATTEMPTS_MAX) throw error
    work.log.error({ recording: work.payload.recording }, 'a transcript was given up')
    return null
  }
}

/** Null where its sound is gone. */
async function wordsOf(
  { storage, transcriber }: TranscriptQueueNeeds & { transcriber: TranscriberPort },
  { payload, signal }: TranscriptWork,
): Promise<StoredWord[] | null> {
  const parcel = await storage.open({ key: payload.key })
  if (!parcel) return null
  const words: StoredWord[] = []
  try {
    for await (const speech of unpack(parcel.bytes)) {
      words.push(...(await heardOf(transcriber, speech, signal)))
      if (words.length >= WORDS_MAX) return words.slice(0, WORDS_MAX)
    }
    return words
  } finally {
    await parcel.close()
  }
}

async function heardOf(
  transcriber: TranscriberPort,
  { from: began, to, sound, ...person }: Speech,
  signal: AbortSignal,
): Promise<StoredWord[]> {
  const speaker = storedSpeaker(person)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const heard = await transcriber.transcribe({ sound, seconds: to - began }, signal)
      return heard.map((word) => ({
        from: momentOf(began + word.from),
        to: momentOf(began + word.to),
        ...speaker,
        text: word.text,
      }))
    } catch (error) {
      if (signal.aborted || attempt === STRETCH_ATTEMPTS) throw error
    }
  }
}

/** To the millisecond. */
function momentOf(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000
}
