import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { enqueue } from '../../../platform/background/work-items.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { Log } from '../../../platform/log.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import { speechKeyOf } from './speech-key.ts'
import { pack, type Speech, type ToldSpeech } from './speech-parcel.ts'
import { transcriptWork } from './transcript-queue.ts'
import { beginTranscript } from './transcript-store.ts'

export interface KeepSpeechNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  storage: Pick<ObjectStoragePort, 'writeStream' | 'remove'>
}

/**
 * Keeps what a recorder has of each voice until its words are written down. Where that goes wrong the film stays, without
 * a transcript.
 * @param speech undefined where the recorder could not write it
 */
export async function keepSpeech(
  { db, clock, log, storage }: KeepSpeechNeeds,
  fileKey: string,
  speech: readonly ToldSpeech[] | undefined,
): Promise<void> {
  const key = speechKeyOf(fileKey)
  try {
    if (!speech) throw new Error('the recorder could not write what was said')
    await storage.writeStream(key, pack(soundsOf(speech)), {
      contentType: 'application/octet-stream',
      cacheControl: 'private, no-store',
    })
    const isWanted = await transaction(db, async (tx) => {
      const recording = await beginTranscript(tx, fileKey, 'waiting')
      if (recording) await enqueue(tx, transcriptWork({ ...recording, key }, clock.now()))
      return recording !== undefined
    })
    // the recording is gone, or has its words
    if (!isWanted) await storage.remove([key])
  } catch (err) {
    log.warn({ err }, 'what was said in a recording could not be kept')
    await beginTranscript(db, fileKey, 'failed')
  }
}

async function* soundsOf(speech: readonly ToldSpeech[]): AsyncGenerator<Speech> {
  for (const { path, ...about } of speech) yield { ...about, sound: await buffer(createReadStream(path)) }
}
