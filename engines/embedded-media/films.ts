import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import type { Watched } from './film-player.ts'
import type { OpenVisitor } from './pages.ts'
import { bring, type Scene } from './scene.ts'

/** Lips and voice further apart than this are seen to be. */
const APART_MAX_SECONDS = 0.08
const ABOUT = { conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada' }

/** Recordings of `npm start`, watched in Chromium. */
export async function tryFilms(
  scene: Scene,
  { visitor }: { visitor: OpenVisitor },
  check: Check,
): Promise<void> {
  const { ada, grace, roomId, url } = scene
  const [adas, graces, viewer] = [await visitor('first'), await visitor('second'), await visitor('first')]
  await check('what was said and shown is a film: a flash and its beep stand together in it', async () => {
    await bring(adas, ada, roomId, 'Ada')
    await adas.publishBeacon()
    const film = await record(scene, 'webm', async () => {
      await pause(7_000)
      await bring(graces, grace, roomId, 'Grace')
      await graces.publish('screen')
      await pause(4_000)
      await graces.publish('screen', false)
      await pause(3_000)
    })
    const watched = await viewer.watch(film)
    tell(watched)
    assert.ok(watched.duration > 13, `the film has ${watched.duration} s`)
    assert.ok(Math.abs(watched.middle - watched.duration / 2) < 0.5, 'it goes to where it is sent')
    assert.ok(watched.sizes.length >= 3, `it shows Ada, the screen and Ada again: ${watched.sizes}`)
    const apart = flashesApart(watched)
    assert.ok(apart.length >= 4, 'there are flashes with a beep')
    // a page that is starved draws one flash late; a film that is wrong has all of them apart
    const late = apart.filter((one) => Math.abs(one) > APART_MAX_SECONDS)
    assert.ok(late.length <= 1, `they are apart: ${apart}`)
  })
  await check('the process that carries media is killed: there is a film of what was before', async () => {
    const film = await record(scene, 'webm', async () => {
      await pause(5_000)
      await fetch(`${url}/sandbox/media/kill-media`, { method: 'POST' })
    })
    const watched = await viewer.watch(film)
    tell(watched)
    assert.ok(watched.duration > 3, `the film has ${watched.duration} s`)
  })
  for (const page of [adas, graces]) await page.leave()
}

/** @returns the film, once the office says that there is one of that type */
export async function record(
  { ada: { client }, roomId, url }: Scene,
  ending: 'webm' | 'mp4',
  meanwhile: () => Promise<void>,
): Promise<Uint8Array> {
  const { egressId } = await client.call('startRecording', { roomName: roomId, ...ABOUT })
  const find = async () => {
    const { data } = await client.call('listRecordings', { roomName: roomId })
    return data.find((one) => one.egressId === egressId)
  }
  await eventually('it records', async () => (await find())?.state === 'active')
  await meanwhile()
  await client.call('stopRecording', { roomName: roomId, egressId, zoneId: 'zone-1' })
  const ended = await eventually('it is over', async () => {
    const found = await find()
    return found && ['completed', 'failed', 'aborted'].includes(found.state) ? found : undefined
  })
  assert.deepEqual([ended.state, ended.contentType], ['completed', `video/${ending}`])
  const { downloadUrl, fileName } = await client.call('downloadRecording', { egressId })
  assert.ok(fileName.endsWith(`.${ending}`), `it is called ${fileName}`)
  const answer = await fetch(new URL(downloadUrl, url))
  assert.equal(answer.headers.get('content-type'), `video/${ending}`)
  const film = new Uint8Array(await answer.arrayBuffer())
  assert.equal(film.length, ended.sizeBytes)
  await keep(film, fileName)
  return film
}

/** How long after a flash its beep comes, of those flashes that have one. */
function flashesApart({ flashes, beeps }: Watched): number[] {
  return flashes.flatMap((flash) => {
    const apart = beeps.map((beep) => beep - flash).sort((one, other) => Math.abs(one) - Math.abs(other))[0]
    return apart !== undefined && Math.abs(apart) < 0.5 ? [apart] : []
  })
}

function tell(watched: Watched): void {
  const apart = flashesApart(watched).map((seconds) => Math.round(seconds * 1_000))
  const { duration, sizes } = watched
  console.log(
    `    ${duration.toFixed(1)} s, ${sizes.join(' → ')}, beeps after flashes by ${apart.join(', ')} ms`,
  )
}

/** Where `FILMS_FOLDER` says, for people who want to look. */
async function keep(film: Uint8Array, fileName: string): Promise<void> {
  const folder = process.env.FILMS_FOLDER
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, fileName), film)
}
