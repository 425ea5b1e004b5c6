import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AtriumClient } from '@atrium/client'
import { Room, RoomEvent } from '@livekit/rtc-node'
import { run } from '../commands.ts'
import { installPackage } from '../debian-packages.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import { keep, keptAt } from '../kept.ts'
import { type Ends, end } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { newPerson } from '../web/people.ts'
import { sayAgainAndAgain } from './speaking.ts'

const VERSION = '5.1.1'
const KEPT = [`pocketsphinx-${VERSION}`, 'bin/python'] as const
const EXAMPLE = fileURLToPath(new URL('../../examples/transcriber/transcriber.py', import.meta.url))
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
      const url = await openFreshOffice({ TRANSCRIBER_URL: transcriberUrl }, ends)
      await tryRoom(url, sound.samples, { ends, check })
    } finally {
      for (let next = ends.pop(); next; next = ends.pop()) await next()
    }
  },
}

/** @returns why it cannot be had here */
async function install(): Promise<string | undefined> {
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

/** The sentence as samples of 16 bits, 48 kHz, and as Ogg with Opus. */
async function spoken(ends: Ends): Promise<{ samples: Buffer; ogg: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-spoken-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const [wave, raw, ogg] = ['said.wav', 'said.raw', 'said.ogg'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await run('espeak-ng', ['-v', 'en-us', '-s', '130', '-w', wave, SENTENCE])
  const from = ['-loglevel', 'error', '-y', '-i', wave, '-ac', '1', '-ar', '48000']
  await run('ffmpeg', [...from, '-f', 's16le', raw])
  await run('ffmpeg', [...from, '-c:a', 'libopus', '-b:a', '32k', ogg])
  return { samples: await readFile(raw), ogg: await readFile(ogg) }
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

async function tryRoom(
  url: string,
  samples: Buffer,
  { ends, check }: { ends: Ends; check: Check },
): Promise<void> {
  const { client } = await newPerson({ url }, 'Ada Lovelace', { found: 'Spoken Words' })
  const { room } = await client.call('createRoom', { name: 'Kitchen' })
  const ada = await enter(client, room.id, ends)
  void sayAgainAndAgain(ada, samples)
  await check('captions come to the participant who asks for them, of what is said', async () => {
    const lines: string[] = []
    ada.on(RoomEvent.TranscriptionReceived, (segments) => {
      for (const { text } of segments) lines.push(text)
    })
    await ada.localParticipant?.setAttributes({ captions: 'on' })
    await eventually('a caption', () => lines.some((text) => UNDERSTOOD.test(text)), PATIENCE)
  })
  await check('the transcript of a recording has what was said, and who said it', async () => {
    const place = { roomName: room.id, zoneId: '' }
    await client.call('startRecording', { ...place, conferenceTopic: 'Kitchen', participants: '' })
    const newest = async () => (await client.call('listRecordings', { roomName: room.id })).data[0]
    await eventually('it runs', async () => (await newest())?.state === 'active', PATIENCE)
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    await client.call('stopRecording', { ...place, egressId: (await newest())?.egressId ?? '' })
    const recordingId = (await newest())?.id ?? ''
    const isMade = async () => (await client.call('getRecording', { recordingId })).transcript === 'made'
    await eventually('it is written down', isMade, PATIENCE)
    const { words } = await client.call('readTranscript', { recordingId })
    const found = words.find(({ text }) => UNDERSTOOD.test(text))
    assert.ok(found?.userId, JSON.stringify(words))
  })
}

async function enter(client: AtriumClient, roomId: string, ends: Ends): Promise<Room> {
  const { token, url } = await client.call('authorizeRoom', { roomId, username: 'Ada' })
  const tryOnce = async () => {
    const room = new Room()
    const connect = room.connect(url ?? '', token, { autoSubscribe: true, dynacast: false })
    return await connect.then(
      () => room,
      () => undefined,
    )
  }
  // the client of servers gives up within seconds, on a busy machine too early
  const room = await eventually('a client connects', tryOnce, PATIENCE)
  ends.push(() => room.disconnect())
  return room
}
