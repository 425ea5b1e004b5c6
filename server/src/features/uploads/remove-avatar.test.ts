import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture, shownAt, upload } from '../../../tests/chapters/uploads.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'

describe('removeAvatar', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('takes the image away, from the profile and from the storage, and spends no try', async () => {
    const { browser } = await newPerson(office)
    const tmpKey = await upload(office, browser, await picture('png'))
    const { avatarUrl } = await browser.call('finalizeAvatarUpload', { tmpKey })
    expect(await browser.request('removeAvatar')).toMatchObject({ status: 204, body: undefined })
    expect(await browser.call('getCurrentUser')).toMatchObject({
      avatarUrl: null,
      avatarUploadTriesRemaining: 2,
    })
    expect((await shownAt(office, avatarUrl)).status).toBe(404)
  })

  it('takes those away with it that were replaced a moment ago, and none of others', async () => {
    const [one, other] = [await newPerson(office), await newPerson(office)]
    const urls: string[] = []
    for (const { browser } of [one, one, other, other]) {
      const tmpKey = await upload(office, browser, await picture('png'))
      urls.push((await browser.call('finalizeAvatarUpload', { tmpKey })).avatarUrl)
    }
    const statuses = () => Promise.all(urls.map(async (url) => (await shownAt(office, url)).status))
    expect(await statuses()).toEqual([200, 200, 200, 200])
    await one.browser.call('removeAvatar')
    expect(await statuses()).toEqual([404, 404, 200, 200])
  })

  it('waits for no call that only writes of the person, who may wait for the trail', async () => {
    const { browser, id } = await newPerson(office)
    const writing = await hold(office, 'select 1 from users where id = $1 for key share', [id])
    const removed = browser.request('removeAvatar').then(({ status }) => status)
    const first = await Promise.race([removed, untilBlocked(office, 1)])
    await writing.letGo()
    expect(first).toBe(204)
  })

  it('does not mind where there is none', async () => {
    const { browser } = await newPerson(office)
    expect((await browser.request('removeAvatar')).status).toBe(204)
    expect((await browser.request('removeAvatar')).status).toBe(204)
  })

  it('is refused without a session', async () => {
    expect(await office.browser().request('removeAvatar')).toMatchObject({ status: 401 })
  })
})
