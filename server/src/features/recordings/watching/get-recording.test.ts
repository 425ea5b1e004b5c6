import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFilm } from '../../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember, signInAgain } from '../../../../tests/people.ts'

const DAY = 24 * 60 * 60

describe('getRecording', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    // nothing deletes
    await office.office.jobs.stop()
  })
  afterAll(() => office.close())

  it('shows what the list shows, by either id, to the organization alone', async () => {
    const founder = await newFounder(office)
    const { id, egressId } = await newFilm(office, founder)
    const { data } = await founder.browser.call('listRecordings')
    expect(await founder.browser.call('getRecording', { recordingId: id })).toEqual(data[0])
    expect(await founder.browser.call('getRecording', { egressId })).toEqual(data[0])
    const other = await newFounder(office)
    for (const input of [{ recordingId: id }, { egressId }, { egressId: 'EG_none' }])
      expect(await other.browser.request('getRecording', input)).toMatchObject({ status: 404 })
    expect(await founder.browser.request('getRecording', {})).toMatchObject({ status: 400 })
  })

  it('ends with the access; what is held stays for those who may hold', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id } = await newFilm(office, founder)
    await founder.browser.call('holdRecording', { recordingId: id, hold: true, reason: 'A dispute' })
    office.clock.advance(20 * DAY + 1)
    const read = async (person: typeof member) =>
      (await signInAgain(office, person.email)).browser.request('getRecording', { recordingId: id })
    expect(await read(member)).toMatchObject({ status: 410, body: { error: 'recording-expired' } })
    expect(await read(founder)).toMatchObject({ status: 200, body: { holdReason: 'A dispute' } })
  })
})
