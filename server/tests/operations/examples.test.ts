import { type OperationId, operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newFounder } from '../people.ts'
import { send } from './stage.ts'

interface Published {
  paths: Record<string, Record<string, { operationId: string; requestBody?: { content: Media } }>>
}
type Media = { 'application/json': { example?: object } }

/** People copy the examples of the reference: none is refused for its form. */
describe('the published example of every operation', () => {
  let office: TestOffice
  const examples = new Map<string, object>()
  beforeAll(async () => {
    office = await openTestOffice()
    const { paths } = (await (await fetch(`${office.baseUrl}/openapi.json`)).json()) as Published
    for (const { operationId, requestBody } of Object.values(paths).flatMap((one) => Object.values(one)))
      examples.set(operationId, requestBody?.content['application/json'].example ?? {})
  })
  afterAll(() => office.close())

  it.each(operationEntries.filter(([, { body }]) => body))('%s is no invalid input', async (id, declared) => {
    const founder = await newFounder(office)
    const browser = declared.access.kind === 'public' ? office.browser() : founder.browser
    const place = declared.path.includes('{id}') ? { id: founder.id } : {}
    const answer = await send(browser, id as OperationId, { ...place, ...examples.get(id) })
    expect(examples.has(id)).toBe(true)
    expect(answer.body).not.toMatchObject({ error: 'invalid-input' })
  })
})
