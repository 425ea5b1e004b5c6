import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteAccountOf, plantCanaries, trailIsWhole, untilErased } from './erasure-scene.ts'
import { openTestOffice, type TestOffice } from './office.ts'
import { whereStored } from './stored-text.ts'

describe('the erasure of a person', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { ATRIUM_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
    // mails wait
    await office.office.work.worker('webhooks').stop()
  })
  afterAll(() => office.close())

  it('leaves no value of them in any column, file or mail', async () => {
    const { person, founder, texts } = await plantCanaries(office)
    const before = await whereStored(office, texts)
    console.log(before.join('\n'))
    await deleteAccountOf(office, person)
    await untilErased(office, person.id)
    expect(await whereStored(office, texts)).toEqual([])
    expect(await trailIsWhole(office, founder.organizationId)).toBe(true)
  })
})
