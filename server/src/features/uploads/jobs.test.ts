import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addressAt,
  picture,
  put,
  shownAt,
  untilImagesAreChecked,
  upload,
} from '../../../tests/chapters/uploads.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'
import { removeReplacedJob, sweepUploadsJob } from './jobs.ts'

const HOUR = 60 * 60
const options = { contentType: 'image/png', cacheControl: 'no-store' }

describe('the sweeper of uploads', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const sweep = () => {
    const { needs, uploads, clock } = office.office
    return sweepUploadsJob({ db: needs.db, clock, storage: uploads.storage, folders: [] }).run(
      new AbortController().signal,
    )
  }
  const isStored = async (key: string) => (await office.office.uploads.storage.find(key)) !== undefined

  it('removes uploads of more than a day and images that are shown nowhere, and nothing else', async () => {
    const { storage } = office.office.uploads
    const { browser } = await newFounder(office)
    const avatar = await upload(office, browser, await picture('png'))
    const { avatarUrl } = await browser.call('finalizeAvatarUpload', { tmpKey: avatar })
    const logo = await browser.call('createLogoUploadTicket', { contentType: 'image/png' })
    await put(addressAt(office, logo.uploadUrl), await picture('png'), 'image/png')
    const { logoUrl } = await browser.call('finalizeLogoUpload', logo)
    const waiting = await upload(office, browser, await picture('png'))
    const orphans = ['avatars/1/gone.png', 'logos/org_1/gone.png']
    for (const key of orphans) await storage.write(key, new Uint8Array(1), options)
    const all = [waiting, ...orphans]
    const stored = () => Promise.all(all.map(isStored))

    await sweep()
    expect(await stored()).toEqual([true, true, true])
    office.clock.advance(HOUR + 60)
    await sweep()
    expect(await stored()).toEqual([true, false, false])
    office.clock.advance(23 * HOUR)
    await sweep()
    expect(await stored()).toEqual([false, false, false])
    for (const url of [avatarUrl, logoUrl]) expect((await shownAt(office, url)).status).toBe(200)
  })

  it('keeps the logo of a deleted organization for as long as it can be brought back', async () => {
    const { browser, organizationId } = await newFounder(office)
    await untilImagesAreChecked(office)
    const logo = await browser.call('createLogoUploadTicket', { contentType: 'image/png' })
    await put(addressAt(office, logo.uploadUrl), await picture('png'), 'image/png')
    await browser.call('finalizeLogoUpload', logo)
    const key = logo.tmpKey.replace('tmp/', 'logos/')
    await browser.call('deleteOrganization', { organizationId })
    const sweepIn = async (seconds: number) => {
      office.clock.advance(seconds)
      await sweep()
      office.clock.advance(-seconds)
    }
    await sweepIn(29 * 24 * HOUR)
    expect(await isStored(key)).toBe(true)
    await sweepIn(30 * 24 * HOUR + 60)
    expect(await isStored(key)).toBe(false)
  })

  it('finds what a failed cleaning up has left behind', async () => {
    const { browser } = await newPerson(office)
    const { storage } = office.office.uploads
    const { remove } = storage
    const first = await upload(office, browser, await picture('png'))
    const second = await upload(office, browser, await picture('png'))
    await browser.call('finalizeAvatarUpload', { tmpKey: first })
    storage.remove = async () => {
      throw new Error('away')
    }
    await browser.call('finalizeAvatarUpload', { tmpKey: second })
    storage.remove = remove
    const replaced = first.replace('tmp/', 'avatars/')
    expect([await isStored(replaced), await isStored(second)]).toEqual([true, true])
    office.clock.advance(25 * HOUR)
    await sweep()
    expect([await isStored(replaced), await isStored(second)]).toEqual([false, false])
    expect(await isStored(second.replace('tmp/', 'avatars/'))).toBe(true)
  })

  it('leaves the image before for a minute, to those who have not heard of the new one', async () => {
    const { browser } = await newFounder(office)
    const shown: string[] = []
    for (let count = 0; count < 2; count += 1) {
      const tmpKey = await upload(office, browser, await picture('png'))
      shown.push((await browser.call('finalizeAvatarUpload', { tmpKey })).avatarUrl)
      const logo = await browser.call('createLogoUploadTicket', { contentType: 'image/png' })
      await put(addressAt(office, logo.uploadUrl), await picture('png'), 'image/png')
      shown.push((await browser.call('finalizeLogoUpload', logo)).logoUrl)
    }
    const statuses = async () =>
      await Promise.all(shown.map(async (url) => (await shownAt(office, url)).status))
    const removeReplaced = () => office.office.jobs.runNow('remove-replaced-images')
    office.clock.advance(55)
    await removeReplaced()
    await sweep()
    expect(await statuses()).toEqual([200, 200, 200, 200])
    office.clock.advance(10)
    await removeReplaced()
    expect(await statuses()).toEqual([404, 404, 200, 200])
  })

  it('keeps what the storage would not remove for its next turn', async () => {
    const { browser } = await newPerson(office)
    const { storage } = office.office.uploads
    const { remove } = storage
    const keys = [await upload(office, browser, await picture('png'))]
    keys.push(await upload(office, browser, await picture('png')))
    for (const tmpKey of keys) await browser.call('finalizeAvatarUpload', { tmpKey })
    const [replaced = ''] = keys.map((key) => key.replace('tmp/', 'avatars/'))
    office.clock.advance(61)
    storage.remove = async () => {
      throw new Error('away')
    }
    await office.office.jobs.runNow('remove-replaced-images').catch(() => undefined)
    storage.remove = remove
    expect(await isStored(replaced)).toBe(true)
    await office.office.jobs.runNow('remove-replaced-images')
    expect(await isStored(replaced)).toBe(false)
  })

  it('forgets tickets of no more use', async () => {
    const { browser } = await newPerson(office)
    const { tmpKey } = await browser.call('createAvatarUploadTicket', { contentType: 'image/png' })
    const known = async () =>
      (await office.database.pool.query('select 1 from upload_tickets where tmp_key = $1', [tmpKey])).rows
        .length
    await sweep()
    expect(await known()).toBe(1)
    office.clock.advance(49 * HOUR)
    await sweep()
    expect(await known()).toBe(0)
  })

  it('leaves one image that cannot be removed to the next run, and removes all others', async () => {
    const { storage } = office.office.uploads
    const { needs, clock } = office.office
    const jobs = { db: needs.db, clock, storage }
    const replaced = ['avatars/2/old.png', 'avatars/2/older.png', 'logos/org_2/old.png']
    const orphans = ['avatars/1/stuck.png', 'avatars/1/gone.png', 'logos/org_1/gone.png', 'tmp/1/gone.png']
    for (const key of [...replaced, ...orphans]) await storage.write(key, new Uint8Array(1), options)
    for (const key of replaced)
      await office.database.pool.query(`insert into replaced_images values ($1, $2)`, [key, clock.now()])
    const { remove } = storage
    const stuck = [replaced[0], orphans[0]]
    storage.remove = async (keys) => {
      if (keys.some((key) => stuck.includes(key))) throw new Error('stuck')
      await remove.call(storage, keys)
    }
    const removeReplaced = () => removeReplacedJob(jobs).run(new AbortController().signal)
    const stored = (keys: string[]) => Promise.all(keys.map(isStored))
    try {
      await expect(removeReplaced()).rejects.toThrow('1 removals of images failed, all others did not')
      expect(await stored(replaced)).toEqual([true, false, false])
      office.clock.advance(25 * HOUR)
      await expect(sweep()).rejects.toThrow('2 removals of images failed')
      expect(await stored(orphans)).toEqual([true, false, false, false])
    } finally {
      storage.remove = remove
    }
    await removeReplaced()
    await sweep()
    expect(await stored([...replaced, ...orphans])).toEqual(Array(7).fill(false))
  })
})
