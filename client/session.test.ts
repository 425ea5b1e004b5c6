import { expect, it } from 'vitest'
import { createSession } from './session.ts'
import { type Answered, fakeOffice } from './tests/fake-office.ts'

const ada = { id: '1', email: 'ada@people.example', currentOrganizationId: 'org_1' }
const nobody: Answered = { status: 401, body: { code: 401, message: 'Sign in first' } }

it('tells who is signed in, and that nobody is', async () => {
  let who: Answered = nobody
  const { client } = fakeOffice({ '/user/get': () => who })
  const session = createSession(client)
  const seen: string[] = []
  session.subscribe(() => seen.push(session.get().state))
  expect(session.get()).toEqual({ state: 'unknown' })
  await session.refresh()
  who = { body: ada }
  expect(await session.refresh()).toEqual({ state: 'signed-in', user: ada })
  expect(seen).toEqual(['signed-out', 'signed-in'])
})

it('keeps what it knew where the office does not answer, and says so', async () => {
  let who: () => Answered = () => ({ body: ada })
  const { client } = fakeOffice({ '/user/get': () => who() })
  const session = createSession(client)
  await session.refresh()
  who = () => {
    throw new TypeError('fetch failed')
  }
  await expect(session.refresh()).rejects.toThrow('No answer')
  expect(session.get()).toMatchObject({ state: 'signed-in' })
})

it('is not told by a late answer what was true before the sign-out', async () => {
  const late = Promise.withResolvers<Answered>()
  const { client } = fakeOffice({
    '/user/get': () => late.promise,
    '/auth/sign-out': () => ({ body: { authData: { redirectURL: 'https://identity.example/out' } } }),
  })
  const session = createSession(client)
  const asking = session.refresh()
  expect(await session.signOut()).toEqual({ redirectURL: 'https://identity.example/out' })
  late.resolve({ body: ada })
  await asking
  expect(session.get()).toEqual({ state: 'signed-out' })
})

it('switches the organization as the person who is signed in', async () => {
  let current = 'org_1'
  const { client, asked } = fakeOffice({
    '/user/get': () => ({ body: { ...ada, currentOrganizationId: current } }),
    '/auth/switch-organization': ({ body }) => {
      current = String(body.organizationId)
      return { body: { user: {} } }
    },
  })
  const session = createSession(client)
  expect(await session.switchOrganization('org_2')).toMatchObject({
    user: { currentOrganizationId: 'org_2' },
  })
  expect(asked[1]?.body).toEqual({ email: ada.email, organizationId: 'org_2' })
})

it('ends the sessions of the other devices, and stays', async () => {
  const { client, asked } = fakeOffice({
    '/user/get': () => ({ body: ada }),
    '/user/sessions/end': () => ({ status: 204 }),
  })
  const session = createSession(client)
  await session.refresh()
  await session.signOutOthers()
  expect(asked.at(-1)).toMatchObject({ path: '/user/sessions/end', body: { others: true } })
  expect(session.get()).toMatchObject({ state: 'signed-in' })
})

it('hears from the other tabs of the browser', async () => {
  let who: Answered = { body: ada }
  const { client } = fakeOffice({
    '/user/get': () => who,
    '/auth/sign-out': () => ({ body: { authData: { redirectURL: '' } } }),
  })
  const [one, other] = [createSession(client, { tabs: true }), createSession(client, { tabs: true })]
  try {
    await one.refresh()
    await other.refresh()
    who = nobody
    await one.signOut()
    await expect.poll(() => other.get().state).toBe('signed-out')
  } finally {
    one.close()
    other.close()
  }
})
