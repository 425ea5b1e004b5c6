import { operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOfRequest } from '../../../contract/examples.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newFounder } from '../people.ts'
import { send } from './stage.ts'

/** People copy the examples of the reference: none is refused for its form. */
describe('the example of every operation', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const withBody = operationEntries.filter(([, { body }]) => body)
  it.each(withBody)('%s is no invalid input', async (id, { access, path, body }) => {
    if (!body) return
    const founder = await newFounder(office)
    const browser = access.kind === 'public' ? office.browser() : founder.browser
    const place = path.includes('{id}') ? { id: founder.id } : {}
    const answer = await send(browser, id, { ...place, ...(exampleOfRequest(body) as object) })
    expect(answer.body).not.toMatchObject({ error: 'invalid-input' })
  })
})
