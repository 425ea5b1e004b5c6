import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture, upload } from '../../../tests/chapters/uploads.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'

const DAY = 24 * 60 * 60

describe('tries', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const triesOf = async ({ browser }: Person) =>
    (await browser.call('getCurrentUser')).avatarUploadTriesRemaining
  const spend = async ({ browser }: Person, at = office) => {
    const tmpKey = await upload(at, browser, Buffer.from('no image'))
    expect((await browser.request('finalizeAvatarUpload', { tmpKey })).status).toBe(400)
  }

  it('end after three, and come back a day after the first', async () => {
    const person = await newPerson(office)
    const waiting = await upload(office, person.browser, await picture('png'))
    await spend(person)
    office.clock.advance(DAY / 2)
    await spend(person)
    await spend(person)
    expect(await triesOf(person)).toBe(0)
    const ticket = await person.browser.request('createAvatarUploadTicket', { contentType: 'image/png' })
    expect(ticket).toMatchObject({ status: 429, body: { code: 429, error: 'no-upload-tries-left' } })
    const wait = Number(ticket.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(DAY / 2 - 60)
    expect(wait).toBeLessThanOrEqual(DAY / 2)
    // the first rule comes before, the others after
    const finalize = async (tmpKey: string) =>
      (await person.browser.request('finalizeAvatarUpload', { tmpKey })).status
    expect(await finalize('tmp/0/a.png')).toBe(403)
    expect(await finalize(`tmp/${person.id}/a.png`)).toBe(429)
    expect(await finalize(waiting)).toBe(429)
    office.clock.advance(wait)
    expect(await triesOf(person)).toBe(3)
    expect(await finalize(waiting)).toBe(200)
    expect(await triesOf(person)).toBe(2)
  })

  it('are the own of each person', async () => {
    const [one, other] = [await newPerson(office), await newPerson(office)]
    await spend(one)
    expect([await triesOf(one), await triesOf(other)]).toEqual([2, 3])
  })

  it('let one of fifty finalizes at once through where one is left', async () => {
    const person = await newPerson(office)
    const keys: string[] = []
    const image = await picture('png')
    for (let count = 0; count < 50; count += 1) keys.push(await upload(office, person.browser, image))
    await spend(person)
    await spend(person)
    const answers = await Promise.all(
      keys.map((tmpKey) => person.browser.request('finalizeAvatarUpload', { tmpKey })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array<number>(49).fill(429)])
    expect(await triesOf(person)).toBe(0)
  })

  it('are spent once by ten finalizes of one upload at once, of which one succeeds', async () => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => person.browser.request('finalizeAvatarUpload', { tmpKey })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(404)])
    expect(await triesOf(person)).toBe(2)
  })

  it('have no end where the limit is 0', async () => {
    const free = await openTestOffice({ settings: { AVATAR_UPLOAD_TRIES: '0' } })
    try {
      const person = await newPerson(free)
      for (let count = 0; count < 5; count += 1) await spend(person, free)
      expect(await triesOf(person)).toBeGreaterThan(1_000)
    } finally {
      await free.close()
    }
  })
})
