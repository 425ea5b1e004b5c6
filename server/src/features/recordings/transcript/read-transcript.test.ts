import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newFilm } from '../../../../tests/chapters/recordings.ts'
import { exportOf, fetchArchive } from '../../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newMember, type Person } from '../../../../tests/people.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'
import { standInTranscriber, understood } from '../../../../tests/vendors/transcriber.ts'
import { trusted } from '../../../platform/ids.ts'
import { eraseFromRecordings } from '../erase.ts'
import { keepSpeech } from './keep-speech.ts'
import { speechKeyOf } from './speech-key.ts'
import type { ToldSpeech } from './speech-parcel.ts'

const GUEST = 'guest:0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70'
const DAY = 24 * 60 * 60

describe('readTranscript', () => {
  let office: TestOffice
  let standIn: Awaited<ReturnType<typeof standInTranscriber>>
  let folder: string
  let outbox: RecordedOutbox
  let understand: typeof standIn.answer
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-'))
    standIn = await standInTranscriber()
    understand = standIn.answer
    office = await openTestOffice({ settings: { TRANSCRIBER_URL: standIn.url } })
    outbox = await recordOutbox(office.database)
  })
  afterAll(async () => {
    await office.close()
    await standIn.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    standIn.answer = understand
    standIn.sent.length = 0
  })

  const db = () => office.office.databases.background
  const storage = () => office.office.uploads.storage
  const transcripts = () => office.office.work.worker('transcripts').drain()
  const read = ({ browser }: Pick<Person, 'browser'>, recordingId: string) =>
    browser.request('readTranscript', { recordingId })
  const stateOf = async ({ browser }: Person, recordingId: string) =>
    (await browser.call('getRecording', { recordingId })).transcript
  const organizationOf = async (recordingId: string) => {
    const { rows } = await office.database.pool.query(
      'select organization_id as organization from recordings where id = $1',
      [recordingId],
    )
    return rows[0].organization
  }
  const isKept = async (key: string) => (await storage().find(speechKeyOf(key))) !== undefined

  /** What a recorder has of two voices. */
  async function voicesOf(person: Person): Promise<ToldSpeech[]> {
    const path = join(folder, `${Math.random()}.ogg`)
    await writeFile(path, 'OggS')
    return [
      { from: 1.5, to: 4, identity: `${person.id}#second`, name: 'Founder', path },
      { from: 5, to: 6, identity: GUEST, name: 'Grete Gast', path },
    ]
  }
  const keep = async (key: string, speech: ToldSpeech[] | undefined) =>
    keepSpeech(
      { db: db(), clock: office.clock, log: recordedLog().log, storage: storage() },
      key.replace('.mp4', '.webm'),
      speech,
    )
  /** A film with what was said in it, which may wait for its words. */
  async function newSpeech(person: Person) {
    const film = await newFilm(office, person)
    await keep(film.key, await voicesOf(person))
    return film
  }

  it('has the words of each voice with their times in the film, and who said them', async () => {
    const founder = await newFounder(office)
    const film = await newSpeech(founder)
    await transcripts()
    expect(standIn.sent.map(({ sound }) => sound.toString())).toEqual(['OggS', 'OggS'])
    const guest = { identity: GUEST, name: 'Grete Gast' }
    expect(await read(founder, film.id)).toEqual(
      expect.objectContaining({
        status: 200,
        body: {
          words: [
            { from: 1.5, to: 1.6, userId: founder.id, text: 'good' },
            { from: 1.6, to: 1.7, userId: founder.id, text: 'morning' },
            { from: 5, to: 5.1, guest, text: 'good' },
            { from: 5.1, to: 5.2, guest, text: 'morning' },
          ],
        },
      }),
    )
    // the sound of each voice has done its work
    expect(await isKept(film.key)).toBe(false)
    const told = (await auditOf(founder)).filter(({ action }) => action === 'recording.transcript-read')
    expect(told).toMatchObject([{ target: { id: film.id }, actor: { id: founder.id } }])
    const archive = await fetchArchive(await exportOf(office, founder.browser, 'Organization'))
    expect(archive.rows('recordings')).toMatchObject([{ transcript: [{ text: 'good' }, {}, {}, {}] }])
  })

  it('is read by those who may watch the film, and by no other organization', async () => {
    const founder = await newFounder(office)
    const visitor = await newMember(office, founder, 'guest')
    const { id } = await newSpeech(founder)
    await transcripts()
    expect(await read(visitor, id)).toMatchObject({ status: 403 })
    await founder.browser.call('shareRecording', { recordingId: id, days: 1 })
    expect(await read(visitor, id)).toMatchObject({ status: 200 })
    expect(await read(await newFounder(office), id)).toMatchObject({ status: 404 })
  })

  it('is waited for while the transcriber does not answer, and told of when it is there', async () => {
    const founder = await newFounder(office)
    standIn.answer = (response) => void response.writeHead(503).end()
    const film = await newSpeech(founder)
    await transcripts()
    expect(await read(founder, film.id)).toMatchObject({
      status: 409,
      body: { error: 'transcript-not-ready' },
    })
    expect(await stateOf(founder, film.id)).toBe('waiting')
    expect(await isKept(film.key)).toBe(true)
    // each stretch was asked for again, and the second waits for the first
    expect(standIn.sent).toHaveLength(3)
    standIn.answer = (response) => void response.end(JSON.stringify(understood()))
    const before = (await outbox.events(`org:${founder.organizationId}`)).length
    office.clock.advance(60)
    await transcripts()
    expect(await read(founder, film.id)).toMatchObject({ status: 200, body: { words: [] } })
    expect(await stateOf(founder, film.id)).toBe('made')
    const told = (await outbox.events(`org:${founder.organizationId}`)).slice(before)
    expect(told).toMatchObject([{ type: 'recording.changed', data: { egressId: film.egressId } }])
  })

  it('is without the names of a person who was erased while it waited', async () => {
    const founder = await newFounder(office)
    standIn.answer = (response) => void response.writeHead(503).end()
    const film = await newSpeech(founder)
    await transcripts()
    const erasures = () => office.office.work.worker('transcript-erasures').drain()
    const ann = { ...{ id: trusted.userId('987'), identityId: trusted.identityUserId('x') }, emails: [] }
    const needs = { db: db(), clock: office.clock }
    await eraseFromRecordings(needs, { ...ann, names: ['Ann King'], deletedAt: office.clock.now() }, [
      trusted.organizationId(await organizationOf(film.id)),
    ])
    await erasures()
    standIn.answer = (response) => void response.end(JSON.stringify(understood('Ask', 'Ann King,', 'Bob')))
    office.clock.advance(60)
    await transcripts()
    const once = ['Ask', 'Deleted person', 'Bob']
    const texts = async () => {
      // a worker of the office may have the item under way, or have looked a moment before the words came
      office.clock.advance(60)
      await erasures()
      const { body } = (await read(founder, film.id)) as { body: { words: { text: string }[] } }
      return body.words.map(({ text }) => text)
    }
    await expect.poll(texts, { timeout: 30_000 }).toEqual([...once, ...once])
  })

  it('is given up after some hours, and the sound is gone', async () => {
    const founder = await newFounder(office)
    standIn.answer = (response) => void response.writeHead(500).end()
    const film = await newSpeech(founder)
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await transcripts()
      office.clock.advance(7_201)
    }
    expect(await read(founder, film.id)).toMatchObject({ status: 409, body: { error: 'transcript-failed' } })
    expect(await isKept(film.key)).toBe(false)
  })

  it('has failed where the recorder could not write what was said; there is none where nothing was to be', async () => {
    const founder = await newFounder(office)
    const { id, key } = await newFilm(office, founder)
    expect(await read(founder, id)).toMatchObject({ status: 409, body: { error: 'no-transcript' } })
    expect(await stateOf(founder, id)).toBeNull()
    await keep(key, undefined)
    expect(await stateOf(founder, id)).toBe('failed')
    expect(await read(founder, id)).toMatchObject({ status: 409, body: { error: 'transcript-failed' } })
  })

  it('goes with the recording, and so does sound that waits; sound of no recording goes within a day', async () => {
    const founder = await newFounder(office)
    standIn.answer = (response) => void response.writeHead(503).end()
    const [gone, kept] = [await newSpeech(founder), await newSpeech(founder)]
    await founder.browser.call('deleteRecording', { recordingId: gone.id })
    expect([await isKept(gone.key), await isKept(kept.key)]).toEqual([false, true])
    await keep(gone.key, await voicesOf(founder))
    expect(await isKept(gone.key)).toBe(false)
    const orphan = gone.key.replace('.mp4', '.speech')
    const options = { contentType: 'application/octet-stream', cacheControl: 'no-store' }
    await storage().write(orphan, new Uint8Array(1), options)
    office.clock.advance(2 * DAY)
    await office.office.jobs.runNow('remove-orphaned-recordings')
    expect([await isKept(gone.key), await isKept(kept.key)]).toEqual([false, true])
  })
})
