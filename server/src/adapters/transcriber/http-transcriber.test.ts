import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { standInTranscriber, understood } from '../../../tests/vendors/transcriber.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { httpTranscriber } from './http-transcriber.ts'

describe('httpTranscriber', () => {
  let standIn: Awaited<ReturnType<typeof standInTranscriber>>
  beforeAll(async () => {
    standIn = await standInTranscriber()
  })
  afterAll(() => standIn.close())
  beforeEach(() => {
    standIn.sent.length = 0
  })
  const stretch = { sound: Buffer.from('OggS'), seconds: 2 }
  const transcribe = (signal = new AbortController().signal, options = {}) =>
    httpTranscriber(standIn.url, options).transcribe(stretch, signal)
  const answering = (body: unknown) => {
    standIn.answer = (response) => void response.end(JSON.stringify(body))
  }

  it('sends the sound of one speaker, and takes words with their times', async () => {
    answering(understood('good', 'morning'))
    expect(await transcribe()).toEqual([
      { from: 0, to: 0.1, text: 'good' },
      { from: 0.1, to: 0.2, text: 'morning' },
    ])
    expect(standIn.sent).toEqual([
      { path: '/transcribe', type: 'audio/ogg; codecs=opus', sound: stretch.sound },
    ])
  })

  it('leaves out what is no word, or lies outside of the stretch, and puts the rest in order', async () => {
    answering({
      words: [
        { from: 1, to: 9, text: ' later \n' },
        { from: 0.5, to: 0.6, text: 'first‮' },
        ...[
          { from: -1, to: 1 },
          { from: 2.5, to: 3 },
          { from: 1, to: 0.5 },
          { from: '0', to: 1 },
          { to: 1 },
        ].map((times) => ({ ...times, text: 'never' })),
        ...['', ' \u0000', 7, null].map((text) => ({ from: 0, to: 1, text })),
        ...[null, 'word', []],
      ],
    })
    expect(await transcribe()).toEqual([
      { from: 0.5, to: 0.6, text: 'first' },
      { from: 1, to: 2, text: 'later' },
    ])
  })

  it('takes a few words that belong together one by one, with their shares of the time', async () => {
    answering({
      words: [
        { from: 1, to: 1.6, text: ' Ann \u00a0King,\nplease ' },
        { from: 0, to: 0.5, text: 'Ask' },
      ],
    })
    const words = (await transcribe()).map(({ from, to, text }) => [from.toFixed(1), to.toFixed(1), text])
    expect(words).toEqual([
      ['0.0', '0.5', 'Ask'],
      ['1.0', '1.2', 'Ann'],
      ['1.2', '1.4', 'King,'],
      ['1.4', '1.6', 'please'],
    ])
  })

  it('takes no more words than can be said, also where they come together', async () => {
    answering(understood(...Array.from({ length: 40 }, () => 'a b c d')))
    expect(await transcribe()).toHaveLength(40)
  })

  it('takes no more words than can be said, and none that is longer than words are', async () => {
    answering(understood(...Array.from({ length: 1_000 }, () => 'a'.repeat(1_000)).slice(0, 200)))
    const words = await transcribe()
    expect(words.length).toBeLessThanOrEqual(40)
    expect(new Set(words.map(({ text }) => text.length))).toEqual(new Set([100]))
  })

  it('hears nothing where the sound means nothing to the transcriber', async () => {
    standIn.answer = (response) => void response.writeHead(422).end()
    expect(await transcribe()).toEqual([])
  })

  it.each<[string, number, Record<string, string>, string]>([
    ['an error', 500, {}, ''],
    ['that it is busy', 503, {}, ''],
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, ''],
    ['no JSON', 200, {}, '<html>'],
    ['no words', 200, {}, '{"text":"good morning"}'],
    ['null', 200, {}, 'null'],
    ['more than it may', 200, {}, `{"words":[],"more":"${'x'.repeat(300_000)}"}`],
  ])('knows nothing of a stretch where it answers %s', async (_, status, headers, body) => {
    standIn.answer = (response) => void response.writeHead(status, headers).end(body)
    await expect(transcribe()).rejects.toMatchObject({ provider: 'transcriber', retryable: true })
  })

  it('waits no longer than it has to, nor after it was told to end', async () => {
    standIn.answer = () => {}
    await expect(transcribe(undefined, { withinMs: 50 })).rejects.toBeInstanceOf(ProviderFailure)
    await expect(transcribe(AbortSignal.timeout(50))).rejects.toBeInstanceOf(ProviderFailure)
  })

  it('says that nothing answers', async () => {
    const gone = httpTranscriber('http://127.0.0.1:1')
    await expect(gone.transcribe(stretch, new AbortController().signal)).rejects.toBeInstanceOf(
      ProviderFailure,
    )
  })
})
