import { outside } from '../../platform/outside/outside.ts'
import { readBounded } from '../../platform/outside/outside-fetch.ts'
import { fieldsOf, itemsOf, textOf } from '../../platform/outside/outside-fields.ts'
import type { HeardWord, TranscriberPort } from '../../ports/transcriber.ts'

const ANSWER_WITHIN_MS = 120_000
const ANSWER_BYTES_MAX = 256 * 1024
/** No speech is faster. */
const WORDS_A_SECOND = 20
const WORD_LENGTH_MAX = 100
/** What breaks a line or turns its direction belongs to no word. */
const UNSPOKEN = /[\p{Cc}\p{Z}\u202a-\u202e\u2066-\u2069]+/gu

/** The transcriber over HTTP (docs/transcriber.md). */
export function httpTranscriber(url: string, { withinMs = ANSWER_WITHIN_MS } = {}): TranscriberPort {
  return {
    transcribe: ({ sound, seconds }, signal) =>
      outside({ provider: 'transcriber', action: 'transcribe' }, async () => {
        const response = await fetch(`${url}/transcribe`, {
          method: 'POST',
          headers: { 'content-type': 'audio/ogg; codecs=opus', accept: 'application/json' },
          body: sound as Uint8Array<ArrayBuffer>,
          redirect: 'error',
          signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
        })
        if (response.status === 200) return wordsOf(await jsonOf(response), seconds)
        await response.body?.cancel()
        // it has looked at this sound, and will say so again
        if (response.status === 422) return []
        throw new Error(`it answered ${response.status}`)
      }),
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const bytes = await readBounded(response, ANSWER_BYTES_MAX).catch((cause: unknown) => {
    throw new Error('its answer is too long, or was cut off', { cause })
  })
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** A transcriber may be hostile, or simply wrong: what is no word, or lies outside of its stretch, is left out. */
function wordsOf(body: unknown, seconds: number): HeardWord[] {
  const { words } = fieldsOf(body)
  if (!Array.isArray(words)) throw new Error('it answered without words')
  const wordsMax = Math.ceil(seconds * WORDS_A_SECOND)
  return itemsOf(words, wordsMax)
    .flatMap((word) => wordOf(fieldsOf(word), seconds) ?? [])
    .sort((one, other) => one.from - other.from)
    .flatMap(singleWords)
    .slice(0, wordsMax)
}

/** A few words that came together, each with the same share of their time: a name is found word by word. */
function singleWords({ from, to, text }: HeardWord): HeardWord[] {
  const texts = text.split(/\s+/)
  const momentAt = (index: number) => from + ((to - from) * index) / texts.length
  return texts.map((one, index) => ({ from: momentAt(index), to: momentAt(index + 1), text: one }))
}

function wordOf(word: Readonly<Record<string, unknown>>, seconds: number): HeardWord | undefined {
  const text = textOf(word.text, WORD_LENGTH_MAX).replaceAll(UNSPOKEN, ' ').trim()
  const [from, to] = [momentOf(word.from), momentOf(word.to)]
  if (text === '' || from === undefined || to === undefined || from > to || from > seconds) return undefined
  return { from, to: Math.min(to, seconds), text }
}

function momentOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
