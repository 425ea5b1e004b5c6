import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFilm } from '../../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../../tests/people.ts'

describe('updateRecording', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('names a recording for all who see it; the same name again changes nothing', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id, egressId } = await newFilm(office, founder)
    expect(await founder.browser.call('getRecording', { egressId })).toMatchObject({ id, name: null })
    const named = await member.browser.call('updateRecording', { egressId, name: '  Weekly of May ' })
    expect(named).toMatchObject({ id, name: 'Weekly of May' })
    await member.browser.call('updateRecording', { recordingId: id, name: 'Weekly of May' })
    const { data } = await founder.browser.call('listRecordings')
    expect(data).toMatchObject([{ id, name: 'Weekly of May' }])
    const told = (await auditOf(founder)).filter(({ action }) => action === 'recording.named')
    expect(told).toMatchObject([{ target: { id }, actor: { id: member.id } }])
  })

  it('refuses what is no name, and knows nothing of other organizations', async () => {
    const founder = await newFounder(office)
    const { id } = await newFilm(office, founder)
    const update = (name: string) => founder.browser.request('updateRecording', { recordingId: id, name })
    for (const name of ['', '   ', 'x'.repeat(201), 'line\nbreak'])
      expect(await update(name)).toMatchObject({ status: 400 })
    const other = await newFounder(office)
    expect(await other.browser.request('updateRecording', { recordingId: id, name: 'Mine' })).toMatchObject({
      status: 404,
      body: { error: 'not-found' },
    })
    expect(await founder.browser.call('getRecording', { recordingId: id })).toMatchObject({ name: null })
  })
})
