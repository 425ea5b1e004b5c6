import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressAt, picture, put, shownAt, upload } from '../../../tests/chapters/uploads.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson, type Person } from '../../../tests/people.ts'
import { spendTry } from '../../directory/image-tries.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { trusted } from '../../platform/ids.ts'
import { ProviderFailure, Refusal } from '../../platform/refusal.ts'
import { type FinalizeNeeds, finalizeUpload } from './finalize-upload.ts'
import { avatarOf, type ImageSlot } from './image-slot.ts'
import { claimTicket } from './store.ts'

const failure = () => new ProviderFailure('the storage', 'that', { retryable: true })
const fails = async () => Promise.reject(failure())

/** What happens when something behind us fails, step by step. */
describe('finalizeUpload', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const session = { method: 'magic_auth', ssoOrganizationId: null }
  const slotOf = (person: Person) =>
    avatarOf({ user: { id: trusted.userId(person.id) }, session } as never, 3)
  const run = (change: Partial<FinalizeNeeds>, slot: ImageSlot, tmpKey: string) =>
    finalizeUpload({ ...office.office.needs, ...change }, slot, tmpKey)
  const isStored = async (key: string) => (await office.office.uploads.storage.find(key)) !== undefined
  const profileOf = ({ browser }: Person) => browser.call('getCurrentUser')
  /** The upload can still be finalized, at no cost; nothing else was left behind. */
  const expectUntouched = async (person: Person, tmpKey: string) => {
    expect(await profileOf(person)).toMatchObject({ avatarUrl: null, avatarUploadTriesRemaining: 3 })
    expect([await isStored(tmpKey), await isStored(tmpKey.replace('tmp/', 'avatars/'))]).toEqual([
      true,
      false,
    ])
    const { avatarUrl } = await person.browser.call('finalizeAvatarUpload', { tmpKey })
    expect((await shownAt(office, avatarUrl)).status).toBe(200)
  }

  it.each(['find', 'open', 'copy'] as const)('loses nothing where the storage fails at %s', async (step) => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    const storage = { ...office.office.uploads.storage, [step]: fails }
    const error = await run({ storage }, slotOf(person), tmpKey).catch((thrown: unknown) => thrown)
    expect(error).not.toBeInstanceOf(Refusal)
    expect(error).not.toBeInstanceOf(ProviderFailure)
    await expectUntouched(person, tmpKey)
  })

  it('loses nothing where the storage breaks off while it is read', async () => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    const { storage } = office.office.uploads
    const open: typeof storage.open = async (object) => {
      const opened = await storage.open(object)
      await opened?.close()
      return opened && { ...opened, bytes: (async function* () {})() }
    }
    await expect(run({ storage: { ...storage, open } }, slotOf(person), tmpKey)).rejects.toThrow()
    await expectUntouched(person, tmpKey)
  })

  it('loses nothing where the image check is away', async () => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    await expect(run({ imageCheck: { check: fails } }, slotOf(person), tmpKey)).rejects.toThrow()
    await expectUntouched(person, tmpKey)
  })

  it('takes the image back where the profile cannot be changed', async () => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    await expect(run({}, { ...slotOf(person), replace: fails }, tmpKey)).rejects.toThrow()
    await expectUntouched(person, tmpKey)
  })

  it('takes the image back where the profile may not be changed', async () => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    const replace = async () => Promise.reject(Refusal.of('sign-in-method-not-accepted'))
    await expect(run({}, { ...slotOf(person), replace }, tmpKey)).rejects.toThrow(Refusal)
    expect(await isStored(tmpKey.replace('tmp/', 'avatars/'))).toBe(false)
    expect(await profileOf(person)).toMatchObject({ avatarUrl: null })
    expect((await person.browser.request('finalizeAvatarUpload', { tmpKey })).status).toBe(200)
  })

  it('keeps the image where only the answer of the commit was lost', async () => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    const slot = slotOf(person)
    const replace: ImageSlot['replace'] = async (_tx, key, now) => {
      await slot.replace(office.office.needs.db as never, key, now)
      throw new Error('the connection was cut')
    }
    await expect(run({}, { ...slot, replace }, tmpKey)).rejects.toThrow()
    const { avatarUrl } = await profileOf(person)
    expect((await shownAt(office, avatarUrl ?? '')).status).toBe(200)
  })

  it('succeeds where only the cleaning up fails', async () => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    const storage = { ...office.office.uploads.storage, remove: fails }
    const key = await run({ storage }, slotOf(person), tmpKey)
    expect((await profileOf(person)).avatarUrl).toBe(`${office.office.config.baseUrl}/storage/${key}`)
    expect(await isStored(tmpKey)).toBe(true)
    expect(await person.browser.request('finalizeAvatarUpload', { tmpKey })).toMatchObject({ status: 404 })
  })

  it('never shows what was put in the place of what was checked', async () => {
    const person = await newPerson(office)
    const { uploadUrl, tmpKey } = await person.browser.call('createAvatarUploadTicket', {
      contentType: 'image/png',
    })
    const url = addressAt(office, uploadUrl)
    await put(url, await picture('png'), 'image/png')
    const { imageCheck } = office.office.uploads
    const check: typeof imageCheck.check = async (bytes) => {
      const verdict = await imageCheck.check(bytes)
      await put(url, Buffer.from('<script>'), 'image/png')
      return verdict
    }
    await expect(run({ imageCheck: { check } }, slotOf(person), tmpKey)).rejects.toMatchObject({
      kind: 'not-found',
    })
    expect((await profileOf(person)).avatarUrl).toBeNull()
    expect(await isStored(tmpKey.replace('tmp/', 'avatars/'))).toBe(false)
  })

  it('lets another call have the upload when the one that was at it is gone', async () => {
    const person = await newPerson(office)
    const tmpKey = await upload(office, person.browser, await picture('png'))
    const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { imageCheck } = office.office.uploads
    const check: typeof imageCheck.check = async (bytes) => {
      reached.resolve()
      await resumed.promise
      return await imageCheck.check(bytes)
    }
    const stalled = run({ imageCheck: { check } }, slotOf(person), tmpKey).catch((error: unknown) => error)
    await reached.promise
    expect(await person.browser.request('finalizeAvatarUpload', { tmpKey })).toMatchObject({ status: 404 })
    // its database has not heard of it for longer than the lease
    await office.database.pool.query('update upload_tickets set claimed_until = $2 where tmp_key = $1', [
      tmpKey,
      office.clock.now(),
    ])
    const { avatarUrl } = await person.browser.call('finalizeAvatarUpload', { tmpKey })
    resumed.resolve()
    expect(await stalled).toMatchObject({ kind: 'not-found' })
    expect((await shownAt(office, avatarUrl)).status).toBe(200)
    expect((await profileOf(person)).avatarUrl).toBe(avatarUrl)
  })

  it('goes on with the try of a process that was killed at it, even where it was the last', async () => {
    const person = await newPerson(office)
    const slot = { ...slotOf(person), tries: 1 }
    const tmpKey = await upload(office, person.browser, await picture('png'))
    // as far as it came, and never heard of again
    const { db } = office.office.needs
    const now = office.clock.now()
    const until = secondsAfter(now, 20)
    await claimTicket(db, slot.ownerId, tmpKey, { now, until })
    await spendTry(db, slot.owner, 1, now)
    await expect(run({}, slot, tmpKey)).rejects.toMatchObject({ kind: 'too-many' })
    office.clock.advance(21)
    const key = await run({}, slot, tmpKey)
    expect(await isStored(key)).toBe(true)
    expect(await profileOf(person)).toMatchObject({ avatarUploadTriesRemaining: 2 })
    const another = await upload(office, person.browser, await picture('png'))
    await expect(run({}, slot, another)).rejects.toMatchObject({ kind: 'too-many' })
  })

  it('answers 500 where a part behind us fails, and the way back is open', async () => {
    const away = await openTestOffice({ beside: office, settings: { IMAGE_CHECK_URL: 'http://127.0.0.1:1' } })
    try {
      const person = await newPerson(office)
      const tmpKey = await upload(office, person.browser, await picture('png'))
      const response = await fetch(`${away.baseUrl}/user/avatar/finalize`, {
        method: 'POST',
        headers: { cookie: `atrium_session=${person.cookie}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tmpKey }),
      })
      expect([response.status, await response.json()]).toMatchObject([
        500,
        { code: 500, message: 'Internal error' },
      ])
      await expectUntouched(person, tmpKey)
    } finally {
      await away.close()
    }
  })
})
