import assert from 'node:assert/strict'
import type { Recording } from '@atrium/contract'
import { expectRefusal, expectStatus } from './expect.ts'
import { waitFor } from './patience.ts'
import { fresh, type Person, signedUp } from './person.ts'
import type { Steps } from './steps.ts'
import type { Office, Walk } from './walk.ts'

const SOON_MS = 30_000
const about = { conferenceTopic: 'Weekly', zoneId: 'zone-7', participants: 'Ada, Bob' }

/** A meeting is recorded from its room: started, stopped, watched and deleted. */
export const recordings: Walk = {
  name: 'recordings',
  async run(office, steps) {
    const ada = await steps.step('somebody founds an organization', async () => {
      const person = await signedUp(office, 'ada')
      await person.client.call('createOrganization', { name: fresh('Observatory') })
      return person
    })
    const room = await steps.step('a room is made, and somebody is in it', () =>
      roomWithSomebody(office, ada),
    )
    const egressId = await record(steps, ada, room)
    await refusals(office, steps, ada, room, egressId)
    const film = await stop(steps, ada, room, egressId)
    await watchAndDelete(steps, ada, film)
  },
}

export async function roomWithSomebody(
  office: Office,
  { client }: Person,
): Promise<{ id: string; name: string }> {
  const { room } = await client.call('createRoom', { name: fresh('Dome') })
  const { token } = await client.call('authorizeRoom', { username: 'Ada', roomId: room.id })
  const joined = await fetch(`${office.url}/sandbox/media/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  // a real media server lets its own clients in, and has no such door
  assert.ok([200, 404].includes(joined.status), `joining was answered ${joined.status}`)
  return room
}

export async function onlyRecording({ client }: Person, roomName: string): Promise<Recording> {
  const { data, page } = await client.call('listRecordings', { roomName })
  assert.equal(page.total, 1)
  return data[0] as Recording
}

const untilIt = (person: Person, room: string, state: Recording['state']) =>
  waitFor(`a recording that is ${state}`, SOON_MS, async () => {
    const recording = await onlyRecording(person, room)
    return recording.state === state ? recording : undefined
  })

async function record({ step }: Steps, ada: Person, room: { id: string; name: string }): Promise<string> {
  return await step('a recording is started by the name of the room, and runs', async () => {
    const started = await ada.client.call('startRecording', { roomName: room.name, ...about })
    assert.ok(Math.abs(started.timestamp - Date.now() / 1_000) < 300)
    const recording = await untilIt(ada, room.id, 'active')
    const { conferenceTopic, zoneId, participants } = recording
    assert.deepEqual({ conferenceTopic, zoneId, participants }, about)
    assert.equal(recording.egressId, started.egressId)
    return started.egressId
  })
}

async function refusals(
  office: Office,
  { check }: Steps,
  ada: Person,
  room: { id: string },
  egressId: string,
): Promise<void> {
  await check('a room is recorded once at a time', async () => {
    expectRefusal(await ada.client.request('startRecording', { roomName: room.id, ...about }), 409)
  })
  await check('what runs can neither be downloaded nor deleted', async () => {
    expectRefusal(await ada.client.request('downloadRecording', { egressId }), 409)
    expectRefusal(await ada.client.request('deleteRecording', { egressId }), 409)
  })
  await check('unknown rooms and recordings are not found', async () => {
    const unknown = { roomName: fresh('nowhere'), ...about }
    expectRefusal(await ada.client.request('startRecording', unknown), 404)
    const stray = { roomName: room.id, egressId: fresh('EG_'), zoneId: '' }
    expectRefusal(await ada.client.request('stopRecording', stray), 404)
  })
  await check('another organization neither sees nor touches it', async () => {
    const eve = await signedUp(office, 'eve')
    await eve.client.call('createOrganization', { name: fresh('Cellar') })
    expectRefusal(await eve.client.request('listRecordings', { roomName: room.id }), 404)
    assert.deepEqual((await eve.client.call('listRecordings', {})).data, [])
    const theirs = { roomName: room.id, egressId, zoneId: '' }
    expectRefusal(await eve.client.request('stopRecording', theirs), 404)
    expectRefusal(await eve.client.request('deleteRecording', { egressId }), 404)
  })
  await check('the reconciliation webhook wants its secret', async () => {
    const answer = await fetch(`${office.url}/webhook/recordings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': 'a guess' },
      body: JSON.stringify({ egressId, status: 'failed' }),
    })
    assert.equal(answer.status, 401)
  })
}

async function stop(
  { step, check }: Steps,
  ada: Person,
  room: { id: string },
  egressId: string,
): Promise<Recording> {
  const input = { roomName: room.id, egressId, zoneId: about.zoneId }
  const film = await step('it is stopped, and is complete with its file', async () => {
    const { body } = expectStatus(await ada.client.request('stopRecording', input), 200)
    assert.equal(body.egressId, egressId)
    const ended = await untilIt(ada, room.id, 'completed')
    assert.ok((ended.sizeBytes ?? 0) > 0 && ended.endedAt && ended.accessUntil)
    return ended
  })
  await check('stopping it again is no mistake', async () => {
    expectStatus(await ada.client.request('stopRecording', input), 200)
  })
  return film
}

async function watchAndDelete({ check }: Steps, { client }: Person, film: Recording): Promise<void> {
  await check('its film is downloaded from an address for five minutes, whole and in part', async () => {
    const { downloadUrl, expiresInSeconds } = await client.call('downloadRecording', { recordingId: film.id })
    assert.equal(expiresInSeconds, 300)
    const file = await fetch(downloadUrl)
    assert.equal(file.status, 200)
    const bytes = Buffer.from(await file.arrayBuffer())
    assert.equal(bytes.length, film.sizeBytes)
    assert.equal(bytes.toString('latin1', 4, 8), 'ftyp')
    const part = await fetch(downloadUrl, { headers: { range: 'bytes=4-7' } })
    assert.deepEqual([part.status, await part.text()], [206, 'ftyp'])
    assert.equal((await fetch(downloadUrl.split('?')[0] as string)).status, 403)
  })
  await check('it is deleted, and gone', async () => {
    expectStatus(await client.request('deleteRecording', { recordingId: film.id }), 200)
    expectRefusal(await client.request('downloadRecording', { recordingId: film.id }), 404)
    assert.deepEqual((await client.call('listRecordings', {})).data, [])
  })
}
