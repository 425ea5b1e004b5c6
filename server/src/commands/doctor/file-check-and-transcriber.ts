import { httpFileCheck } from '../../adapters/file-check/http-file-check.ts'
import { httpTranscriber } from '../../adapters/transcriber/http-transcriber.ts'
import type { Config } from '../../configuration/config.ts'
import type { Finding } from './realtime.ts'
import { reasonOf } from './reason.ts'

const ANSWER_WITHIN_MS = 20_000
const CLEAN_FILE = Buffer.from('Atrium asks whether its check of files answers.\n')
/** A tenth of a second of silence: Ogg with Opus. */
const SILENCE = Buffer.from(
  'T2dnUwACAAAAAAAAAAABAAAAAAAAAIRs2SQBE09wdXNIZWFkAQEAAIC7AAAAAABPZ2dTAAAAAAAAAAAAAAEAAAABAAAAe7prygEWT3B1c1RhZ3MGAAAAYXRyaXVtAAAAAE9nZ1MABMASAAAAAAAAAQAAAAIAAAAOwu7UBQMDAwMD+P/++P/++P/++P/++P/+',
  'base64',
)

/** Whether the services that look at what people send and say answer: each is asked once, with nothing of theirs. */
export async function lookAtFileCheckAndTranscriber({
  fileCheckUrl,
  recordings: { transcriberUrl },
}: Pick<Config, 'fileCheckUrl' | 'recordings'>): Promise<Finding[]> {
  return [
    ...(fileCheckUrl === undefined ? [] : [await lookAtFileCheck(fileCheckUrl)]),
    ...(transcriberUrl === undefined ? [] : [await lookAtTranscriber(transcriberUrl)]),
  ]
}

async function lookAtFileCheck(url: string): Promise<Finding> {
  const part = 'file check'
  const file = {
    name: 'atrium-doctor.txt',
    sizeBytes: CLEAN_FILE.length,
    bytes: (async function* () {
      yield CLEAN_FILE
    })(),
  }
  try {
    const { isClean } = await httpFileCheck(url, { withinMs: ANSWER_WITHIN_MS }).check(file)
    if (isClean) return { part, ok: true, says: `${url} answers` }
    const says = `${url} refuses a file of one plain sentence: people can send no files. Check what FILE_CHECK_URL leads to.`
    return { part, ok: false, says }
  } catch (error) {
    const says = `${url} does not answer as it should: ${reasonOf(error)}. People can send no files. Check FILE_CHECK_URL.`
    return { part, ok: false, says }
  }
}

async function lookAtTranscriber(url: string): Promise<Finding> {
  const part = 'transcriber'
  const silence = { sound: SILENCE, seconds: 0.1 }
  try {
    const transcriber = httpTranscriber(url, { withinMs: ANSWER_WITHIN_MS })
    await transcriber.transcribe(silence, new AbortController().signal)
    return { part, ok: true, says: `${url} answers` }
  } catch (error) {
    const says = `${url} does not answer as it should: ${reasonOf(error)}. Recordings get no transcripts. Check TRANSCRIBER_URL.`
    return { part, ok: false, says }
  }
}
