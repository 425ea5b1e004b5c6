import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFilm, newRecording } from '../../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newMember, type Person, signInAgain } from '../../../../tests/people.ts'

const DAY = 24 * 60 * 60

describe('shareRecording', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    // nothing deletes
    await office.office.jobs.stop()
  })
  afterAll(() => office.close())

  const watch = async ({ browser }: Pick<Person, 'browser'>, recordingId: string) => [
    (await browser.request('getRecording', { recordingId })).status,
    (await browser.request('downloadRecording', { recordingId })).status,
  ]

  /** The clock has ended the session of before. */
  const backIn = ({ email }: Person) => signInAgain(office, email)

  it('lets members of every role watch until the days are over, and no others', async () => {
    const founder = await newFounder(office)
    const visitor = await newMember(office, founder, 'guest')
    const other = await newFounder(office)
    const { id, egressId } = await newFilm(office, founder)
    expect(await watch(visitor, id)).toEqual([403, 403])
    const { url } = await founder.browser.call('shareRecording', { egressId, days: 3 })
    expect(new URL(url).pathname).toBe(`/recordings/${id}`)
    expect(await watch(visitor, id)).toEqual([200, 200])
    expect(await watch(other, id)).toEqual([404, 404])
    expect(await visitor.browser.request('listRecordings', {})).toMatchObject({ status: 403 })
    office.clock.advance(3 * DAY - 600)
    expect((await watch(await backIn(visitor), id))[0]).toBe(200)
    office.clock.advance(601)
    expect(await watch(await backIn(visitor), id)).toEqual([403, 403])
  })

  it('ends with 0 days, and never outlasts the access to a recording', async () => {
    const founder = await newFounder(office)
    const visitor = await newMember(office, founder, 'guest')
    const { id } = await newFilm(office, founder)
    const share = (days: number) => founder.browser.request('shareRecording', { recordingId: id, days })
    await share(365)
    const { sharedUntil } = await founder.browser.call('getRecording', { recordingId: id })
    expect(Date.parse(sharedUntil ?? '') - office.clock.now().getTime()).toBeGreaterThan(364 * DAY * 1_000)
    await share(0)
    await share(0)
    expect(await watch(visitor, id)).toEqual([403, 403])
    expect(await founder.browser.call('getRecording', { recordingId: id })).not.toHaveProperty('sharedUntil')
    await share(365)
    const actions = (await auditOf(founder)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'recording.shared')).toHaveLength(2)
    expect(actions.filter((action) => action === 'recording.unshared')).toHaveLength(1)
    office.clock.advance(20 * DAY + 1)
    expect(await watch(await backIn(visitor), id)).toEqual([410, 410])
  })

  it('is of what has a file, and of the own organization', async () => {
    const founder = await newFounder(office)
    const other = await newFounder(office)
    const { egressId } = await newRecording(founder)
    const share = ({ browser }: Pick<Person, 'browser'>, days = 1) =>
      browser.request('shareRecording', { egressId, days })
    expect(await share(founder)).toMatchObject({ status: 409, body: { error: 'recording-not-finished' } })
    expect(await share(other)).toMatchObject({ status: 404 })
    expect(await share(founder, 366)).toMatchObject({ status: 400 })
  })
})
