import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openLiveCaptions, type Transcribe } from './live-captions.ts'

/** What is said of captions by a transcriber that is told what to answer. */
function open(transcribe: Transcribe) {
  const said: string[] = []
  const warnings: { error: unknown; message: string }[] = []
  const captions = openLiveCaptions({
    transcribe,
    onHeard: (sid, { text }) => said.push(`${sid}: ${text}`),
    onWarning: (error, message) => warnings.push({ error, message }),
  })
  const speak = (sid: string, sound: string) =>
    captions.take({
      ...{ report: 'spoken', sid, trackSid: 'TR_1', seconds: 1 },
      sound: Buffer.from(sound).toString('base64'),
    })
  return { captions, said, warnings, speak }
}

const echo: Transcribe = async ({ sound }) => Buffer.from(sound).toString()

it('writes down what each person says in order, and leaves out what was not understood', async () => {
  const slower: Transcribe = async (stretch, signal) => {
    const text = await echo(stretch, signal)
    await pause(text === 'one' ? 30 : 0)
    return text === 'mumbled' ? '' : text
  }
  const { said, speak } = open(slower)
  for (const text of ['one', 'mumbled', 'two']) speak('ada', text)
  speak('grace', 'three')
  await expect.poll(() => said).toEqual(['grace: three', 'ada: one', 'ada: two'])
})

it('misses the oldest where the transcriber is slower than people', async () => {
  const answers: (() => void)[] = []
  const { said, speak } = open(async (stretch, signal) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return await echo(stretch, signal)
  })
  for (const text of ['first', 'missed', 'last but one', 'last']) speak('ada', text)
  for (let count = 1; count <= 3; count += 1) {
    await expect.poll(() => answers.length).toBe(count)
    answers.at(-1)?.()
  }
  await expect.poll(() => said).toEqual(['ada: first', 'ada: last but one', 'ada: last'])
})

it('warns once of a transcriber that fails, without what it has said, and goes on', async () => {
  let isBroken = true
  const { said, warnings, speak } = open(async (stretch, signal) => {
    if (isBroken) throw new Error('a secret that was said')
    return await echo(stretch, signal)
  })
  speak('ada', 'one')
  speak('ada', 'two')
  await expect
    .poll(() => warnings)
    .toEqual([{ error: undefined, message: 'the transcriber failed: captions are missing' }])
  isBroken = false
  await pause(0)
  speak('ada', 'three')
  await expect.poll(() => said).toEqual(['ada: three'])
  expect(warnings).toHaveLength(1)
})

it('waits for nothing of a person who has left', async () => {
  const signals: AbortSignal[] = []
  const { captions, said, speak } = open(async (stretch, signal) => {
    signals.push(signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return await echo(stretch, signal)
  })
  speak('ada', 'one')
  speak('ada', 'two')
  await expect.poll(() => signals.length).toBe(1)
  captions.forget('ada')
  await pause(20)
  expect(signals).toHaveLength(1)
  expect(signals[0]?.aborted).toBe(true)
  expect(said).toEqual([])
})

it('bounds one caption', async () => {
  const { said, speak } = open(async () => 'a'.repeat(100_000))
  speak('ada', 'one')
  await expect.poll(() => said[0]?.length).toBe('ada: '.length + 2_000)
})
