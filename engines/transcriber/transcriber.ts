import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { AtriumClient } from '@atrium/client'
import { isBuilt } from '@atrium/web/built-folder.ts'
import { FAKE_MEDIA, launchChromium, missingChromium } from '../browser/chromium.ts'
import { run } from '../commands.ts'
import { installPackage } from '../debian-packages.ts'
import type { Check, Engine } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import { keep, keptAt } from '../kept.ts'
import { type Ends, end } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { newPerson } from '../web/people.ts'
import { enterRoom } from '../web/room-media.ts'
import { newVisitor, type WebOffice } from '../web/visitor.ts'

const VERSION = '5.1.1'
const KEPT = [`pocketsphinx-${VERSION}`, 'bin/python'] as const
const EXAMPLE = fileURLToPath(new URL('../../examples/transcriber/transcriber.py', import.meta.url))
const PICTURES = fileURLToPath(new URL('../../.engines/transcriber', import.meta.url))
/** Of a recording: a few times the sentence. */
const SPOKEN_MS = 12_000
const PATIENCE = { withinMs: 120_000, everyMs: 250 }
/** What is said, and the word of it that is understood: the model is small, and hears few voices well. */
const SENTENCE = 'go forward ten meters'
const UNDERSTOOD = /\bforward\b/

/** What is said in a room, written down by a real engine: as captions, and as the transcript of a recording. */
export const transcriber: Engine = {
  name: 'transcriber',
  about: `PocketSphinx ${VERSION} (PyPI, with its model) as the transcriber of captions and of a recording, of what espeak-ng says`,
  install,
  async try(check) {
    const ends: Ends = []
    try {
      const sound = await spoken(ends)
      const transcriberUrl = await startExample(ends)
      await check('the example answers words with times, and 422 for what is no sound', () =>
        tryExample(transcriberUrl, sound.ogg),
      )
      const operated = await openOperatedOffice({ TRANSCRIBER_URL: transcriberUrl }, ends)
      await eventually('the web office is built', isBuilt, PATIENCE)
      const browser = await launchChromium(...FAKE_MEDIA, `--use-file-for-fake-audio-capture=${sound.wave}`)
      ends.push(() => browser.close())
      await mkdir(PICTURES, { recursive: true })
      await tryRoom({ ...operated, browser, pictures: PICTURES }, check)
    } finally {
      for (let next = ends.pop(); next; next = ends.pop()) await next()
    }
  },
}

/** @returns why it cannot be had here */
async function install(): Promise<string | undefined> {
  const noBrowser = await missingChromium()
  if (noBrowser) return noBrowser
  for (const name of ['ffmpeg', 'espeak-ng']) {
    const isThere = await run(name, [name === 'ffmpeg' ? '-version' : '--version']).then(
      () => true,
      () => false,
    )
    const why = isThere ? undefined : await installPackage(name)
    if (why) return why
  }
  try {
    await keep(...KEPT, async (draft) => {
      await run('python3', ['-m', 'venv', '--clear', draft])
      await run(join(draft, 'bin/pip'), ['install', '--quiet', `pocketsphinx==${VERSION}`])
    })
  } catch (error) {
    return `Python 3 with pocketsphinx cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

/** The sentence as a file of waves, with a pause behind it, and as Ogg with Opus. */
async function spoken(ends: Ends): Promise<{ wave: string; ogg: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-spoken-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const [said, wave, ogg] = [join(folder, 'said.wav'), join(folder, 'padded.wav'), join(folder, 'said.ogg')]
  await run('espeak-ng', ['-v', 'en-us', '-s', '130', '-w', said, SENTENCE])
  const from = ['-loglevel', 'error', '-y', '-i', said, '-ac', '1', '-ar', '48000']
  await run('ffmpeg', [...from, '-af', 'apad=pad_dur=2', wave])
  await run('ffmpeg', [...from, '-c:a', 'libopus', '-b:a', '32k', ogg])
  return { wave, ogg: await readFile(ogg) }
}

/** @returns its address */
async function startExample(ends: Ends): Promise<string> {
  const example = spawn(keptAt(...KEPT), [EXAMPLE, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(() => end(example))
  let said = ''
  example.stdout.on('data', (chunk) => (said += String(chunk)))
  const address = () => /http:\S+/.exec(said)?.[0]
  return (await eventually('the transcriber listens', address, PATIENCE)) ?? ''
}

async function tryExample(url: string, ogg: Buffer): Promise<void> {
  const ask = (body: Buffer) =>
    fetch(`${url}/transcribe`, { method: 'POST', body: body as Buffer<ArrayBuffer> })
  const { words } = (await (await ask(ogg)).json()) as {
    words: { from: number; to: number; text: string }[]
  }
  const found = words.find(({ text }) => UNDERSTOOD.test(text))
  assert.ok(found && found.from >= 0 && found.to > found.from && found.to < 3, JSON.stringify(words))
  assert.equal((await ask(Buffer.from('no sound'))).status, 422)
}

async function tryRoom(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Spoken Words' })
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  const visitor = await newVisitor(office, { permissions: ['camera', 'microphone'] })
  const { page } = visitor
  await check('captions stand in the room of what is said', async () => {
    await ada.enter(visitor)
    await page.goto(`/room/${room.id}`)
    await enterRoom(page)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Show captions' }).click()
    const line = page.getByRole('log', { name: 'Captions' }).getByText(UNDERSTOOD).first()
    await line.waitFor({ timeout: PATIENCE.withinMs })
    await page.screenshot({ path: `${office.pictures}/captions-of-speech.png` })
  })
  await check('the transcript of a recording has what was said, and who said it', () =>
    tryTranscript(ada.client, room.id),
  )
}

async function tryTranscript(client: AtriumClient, roomId: string): Promise<void> {
  const place = { roomName: roomId, zoneId: '' }
  await client.call('startRecording', { ...place, conferenceTopic: 'Kitchen', participants: '' })
  const newest = async () => (await client.call('listRecordings', { roomName: roomId })).data[0]
  await eventually('it runs', async () => (await newest())?.state === 'active', PATIENCE)
  await pause(SPOKEN_MS)
  await client.call('stopRecording', { ...place, egressId: (await newest())?.egressId ?? '' })
  const recordingId = (await newest())?.id ?? ''
  const isMade = async () => (await client.call('getRecording', { recordingId })).transcript === 'made'
  await eventually('it is written down', isMade, PATIENCE)
  const { words } = await client.call('readTranscript', { recordingId })
  const found = words.find(({ text }) => UNDERSTOOD.test(text))
  assert.ok(found?.userId, JSON.stringify(words))
}
