import { expect, it } from 'vitest'
import { openTestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

it('lists the newest first, with when each was used last', async () => {
  await using office = await openTestOffice().then((one) => ({ ...one, [Symbol.asyncDispose]: one.close }))
  const { browser } = await newFounder(office)
  const make = (name: string) => browser.call('createServiceToken', { name, operations: ['listMembers'] })
  await make('First')
  const { token } = await make('Second')
  const list = async () => (await browser.call('listServiceTokens')).tokens
  expect(await list()).toMatchObject([
    { name: 'Second', lastUsedAt: null },
    { name: 'First', lastUsedAt: null },
  ])
  await office.program(token).call('listMembers')
  await until(async () => (await list())[0]?.lastUsedAt !== null)
  expect((await list())[1]?.lastUsedAt).toBeNull()
  // right to the minute
  const [before] = await list()
  office.clock.advance(61)
  await office.program(token).call('listMembers')
  await until(async () => (await list())[0]?.lastUsedAt !== before?.lastUsedAt)
})
