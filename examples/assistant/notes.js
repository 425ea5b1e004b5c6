/** What is said into microphones, each heard on its own and written down by the transcriber. */
import { AudioStream } from '@livekit/rtc-node'
import { FRAME_MS, SAMPLE_RATE, stretchesOf } from './stretches.js'
import { transcribe } from './transcriber.js'

const LINES_MAX = 5_000
/** Of one speaker: a transcriber that is slower than people speak does not fill the memory. */
const WAITING_MAX = 40

/** @param {{ transcriberUrl: string, now: () => number }} options */
export function notesOf({ transcriberUrl, now }) {
  const said = []
  const listening = []
  const readers = new Set()
  let lost = 0

  const write = async ({ at, ...stretch }, id) => {
    const text = await transcribe(transcriberUrl, stretch)
    if (text === undefined || said.length >= LINES_MAX) lost += 1
    else if (text !== '') said.push({ at, id, text })
  }
  const follow = async (track, id) => {
    const options = { sampleRate: SAMPLE_RATE, numChannels: 1, frameSizeMs: FRAME_MS }
    const reader = new AudioStream(track, options).getReader()
    readers.add(reader)
    let waiting = 0
    let written = Promise.resolve()
    for await (const stretch of stretchesOf(framesOf(reader), now)) {
      if (waiting >= WAITING_MAX) {
        lost += 1
        continue
      }
      waiting += 1
      written = written.then(() => write(stretch, id)).finally(() => (waiting -= 1))
    }
    readers.delete(reader)
    await written
  }
  return {
    listen(track, id) {
      listening.push(follow(track, id).catch((error) => console.error(`a microphone: ${error.message}`)))
    },
    /** Resolves when everything that was heard is written down. */
    async end() {
      await Promise.all([...readers].map((reader) => reader.cancel().catch(() => undefined)))
      await Promise.all(listening)
      return { said, lost }
    },
  }
}

async function* framesOf(reader) {
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    yield value
  }
}
