import { expect, it } from 'vitest'
import { createOffice } from './office.ts'
import { type Answered, fakeOffice } from './tests/fake-office.ts'

const user = (currentOrganizationId: string) => ({
  id: '1',
  email: 'ada@people.example',
  currentOrganizationId,
})
const refused: Answered = { status: 403, body: { code: 403, message: 'No' } }

it('asks for a connection only where a person is in an organization, once for each', async () => {
  let who: Answered = { status: 401, body: { code: 401, message: 'Sign in first' } }
  const { client, asked } = fakeOffice({ '/user/get': () => who, '/websocket/token': () => refused })
  const office = createOffice(client)
  const tokens = () => asked.filter(({ path }) => path === '/websocket/token').length
  const close = office.open()
  await expect.poll(() => office.session.get().state).toBe('signed-out')
  who = { body: user('') }
  await office.session.refresh()
  expect(tokens()).toBe(0)

  who = { body: user('org_1') }
  await office.session.refresh()
  await expect.poll(() => office.get().error).toMatchObject({ status: 403 })
  expect(tokens()).toBe(1)
  who = { body: user('org_2') }
  await office.session.refresh()
  await expect.poll(tokens).toBe(2)
  close()
})

it('may be opened again, as React does it in development', async () => {
  const { client, asked } = fakeOffice({
    '/user/get': () => ({ body: user('org_1') }),
    '/websocket/token': () => refused,
  })
  const office = createOffice(client)
  office.open()()
  expect(office.get()).toEqual({ present: undefined })
  const close = office.open()
  await expect.poll(() => office.get().error).toMatchObject({ status: 403 })
  expect(asked.filter(({ path }) => path === '/websocket/token').length).toBeGreaterThan(0)
  close()
})
