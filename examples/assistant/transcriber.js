/** A transcriber over HTTP, as docs/transcriber.md of the office describes it. */
import { setTimeout as pause } from 'node:timers/promises'

const ANSWER_WITHIN_MS = 120_000
const ANSWER_BYTES_MAX = 256 * 1024
const WORDS_A_SECOND_MAX = 20
const WORD_LENGTH_MAX = 100
const TRIES_MAX = 3
const AGAIN_AFTER_MS = 5_000

/**
 * @param {string} url of the transcriber
 * @param {{ sound: Uint8Array, seconds: number }} stretch
 * @returns what was said, as one text; undefined where that is not known
 */
export async function transcribe(url, stretch) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await asked(url, stretch)
    } catch (error) {
      console.error(`the transcriber: ${error.message}`)
      if (tries === TRIES_MAX) return undefined
      await pause(AGAIN_AFTER_MS)
    }
  }
}

async function asked(url, { sound, seconds }) {
  const response = await fetch(`${url}/transcribe`, {
    method: 'POST',
    headers: { 'content-type': 'audio/ogg; codecs=opus', accept: 'application/json' },
    body: sound,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
  if (response.status === 200) return textOf(JSON.parse(await boundedText(response)), seconds)
  await response.body?.cancel()
  // it has looked at this sound, and will say so again
  if (response.status === 422) return ''
  throw new Error(`it answered ${response.status}`)
}

async function boundedText(response) {
  const chunks = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > ANSWER_BYTES_MAX) throw new Error('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** What is no word, or lies outside of the stretch, is left out. */
function textOf(body, seconds) {
  if (!Array.isArray(body?.words)) throw new Error('it answered without words')
  return body.words
    .filter((word) => isWord(word, seconds))
    .slice(0, Math.ceil(seconds * WORDS_A_SECOND_MAX))
    .sort((one, other) => one.from - other.from)
    .map(({ text }) => text.trim())
    .join(' ')
}

function isWord(word, seconds) {
  if (typeof word?.text !== 'string' || word.text.length > WORD_LENGTH_MAX) return false
  return Number.isFinite(word.from) && word.from >= 0 && word.from <= seconds && word.to >= word.from
}
