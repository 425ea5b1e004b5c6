import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  keepFile,
  mediaReport,
  newFilm as newFilmOf,
  newRecording,
  recordingOf,
} from '../../../tests/chapters/recordings.ts'
import { addressAt } from '../../../tests/chapters/uploads.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember, type Person } from '../../../tests/people.ts'

const FILM = new TextEncoder().encode('a film of some bytes')

describe('downloadRecording', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const newFilm = (person: Person & { organizationId: string }) => newFilmOf(office, person, FILM)

  it('leads to the file, as one to keep, for five minutes', async () => {
    const founder = await newFounder(office)
    const { id, egressId } = await newFilm(founder)
    const answer = await founder.browser.call('downloadRecording', { recordingId: id })
    expect(answer).toMatchObject({
      fileName: expect.stringMatching(/^recording-[\d-]+T[\d-]+\.mp4$/),
      expiresInSeconds: 300,
    })
    // the address is the permission: no cookie goes with it
    const url = addressAt(office, answer.downloadUrl)
    const file = await fetch(url)
    expect(file.status).toBe(200)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(FILM.length),
      'content-disposition': `attachment; filename="${answer.fileName}"`,
      'cache-control': 'private, no-store',
    })
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(FILM)
    expect((await founder.browser.call('downloadRecording', { egressId })).downloadUrl).toContain(id)

    office.clock.advance(240)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(FILM.length)])
    office.clock.advance(61)
    expect((await fetch(url)).status).toBe(403)
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'recording.downloaded',
      target: { kind: 'recording', id },
    })
  })

  it('says that a file lies elsewhere, and leads to it once it was brought here', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    const file = { key: 'k', sizeBytes: 9, durationSeconds: 2, location: 's3://b/k', isElsewhere: true }
    const report = mediaReport(
      { room, egressId },
      { progress: 'complete', endedAt: office.clock.now(), file },
    )
    await office.office.recordings.onRecordingEvent(report)
    const ask = () => founder.browser.request('downloadRecording', { egressId })
    const before = (await auditOf(founder)).length
    expect(await ask()).toMatchObject({ status: 409, body: { error: 'stored-elsewhere' } })
    expect(await auditOf(founder)).toHaveLength(before)
    await keepFile(office, egressId, FILM)
    expect((await ask()).status).toBe(200)
    expect((await recordingOf(founder, room)).stored).toBe('here')
  })

  it('sends the part of a film that is asked for', async () => {
    const founder = await newFounder(office)
    const { id } = await newFilm(founder)
    const { downloadUrl } = await founder.browser.call('downloadRecording', { recordingId: id })
    const part = async (range: string) => {
      const answer = await fetch(addressAt(office, downloadUrl), { headers: { range } })
      return [answer.status, answer.headers.get('content-range'), await answer.text()]
    }
    expect(await part('bytes=2-5')).toEqual([206, 'bytes 2-5/20', 'film'])
    expect(await part('bytes=15-')).toEqual([206, 'bytes 15-19/20', 'bytes'])
    expect(await part('bytes=-5')).toEqual([206, 'bytes 15-19/20', 'bytes'])
    expect(await part('bytes=0-999')).toEqual([206, 'bytes 0-19/20', 'a film of some bytes'])
    expect((await part('bytes=20-'))[0]).toBe(416)
    // what is not understood is as if it were not there
    expect((await part('bytes=1-2,4-5'))[0]).toBe(200)
    expect((await part('lines=1-2'))[0]).toBe(200)
  })

  it('gives an address for nothing else: another file, another name, an upload', async () => {
    const founder = await newFounder(office)
    const [one, other] = [await newFilm(founder), await newFilm(founder)]
    const { downloadUrl } = await founder.browser.call('downloadRecording', { recordingId: one.id })
    const url = addressAt(office, downloadUrl)
    const refused = [
      url.replace(one.id, other.id),
      url.replace('recording-', 'other-'),
      url.replace('video%2Fmp4', 'text%2Fhtml'),
      url.replace(/expires=\d+/, 'expires=9999999999'),
      url.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`),
      url.split('?')[0] as string,
    ]
    for (const address of refused) expect((await fetch(address)).status, address).toBe(403)
    const put = await fetch(url, { method: 'PUT', headers: { 'content-type': 'video/mp4' }, body: 'x' })
    expect(put.status).toBe(403)
  })

  it.each([
    ['recording-not-finished', {}],
    ['recording-without-file', { progress: 'failed' }],
    ['recording-without-file', { progress: 'aborted' }],
  ] as const)('is refused with %s where there is no file: %j', async (error, report) => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    await office.office.recordings.onRecordingEvent(mediaReport(recording, report))
    const { egressId } = recording
    expect(await founder.browser.request('downloadRecording', { egressId })).toMatchObject({
      status: 409,
      body: { error },
    })
  })

  it('is over twenty days after the end of the recording, to the minute', async () => {
    const founder = await newFounder(office)
    const { id } = await newFilm(founder)
    const askAfter = async (seconds: number) => {
      const endedAt = new Date(office.clock.now().getTime() - seconds * 1_000)
      await office.database.pool.query('update recordings set ended_at = $2 where id = $1', [id, endedAt])
      return await founder.browser.request('downloadRecording', { recordingId: id })
    }
    const days = 20 * 24 * 3_600
    expect((await askAfter(days - 60)).status).toBe(200)
    expect(await askAfter(days + 60)).toMatchObject({ status: 410, body: { error: 'recording-expired' } })
  })

  it('takes one id, of the own organization, from members', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    const { id, egressId } = await newFilm(founder)
    const ask = async ({ browser }: Person, input: object) =>
      (await browser.request('downloadRecording', input)).status
    expect(await ask(founder, {})).toBe(400)
    expect(await ask(founder, { recordingId: id, egressId })).toBe(400)
    for (const input of [{ recordingId: id }, { egressId }]) expect(await ask(stranger, input)).toBe(404)
    for (const recordingId of ['x', "' or 1=1", `${id} `])
      expect(await ask(founder, { recordingId })).toBe(404)
    expect(await ask(await newMember(office, founder, 'guest'), { recordingId: id })).toBe(403)
    expect(await ask(await newMember(office, founder, 'member'), { recordingId: id })).toBe(200)
  })
})
