import { expect, it } from 'vitest'
import { createSession, organizationsOf } from './session.ts'
import { type Answered, fakeOffice } from './tests/fake-office.ts'

const ada = { id: '1', email: 'ada@people.example', currentOrganizationId: 'org_1' }
const nobody: Answered = { status: 401, body: { code: 401, message: 'Sign in first' } }

it('tells who is signed in, and that no one is', async () => {
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

it('sends no request that is refused without a session, and asks once there may be one', async () => {
  let isAnybody = false
  const { client, asked } = fakeOffice({ '/user/get': () => (isAnybody ? { body: ada } : nobody) })
  const session = createSession(client, { isAnybody: async () => isAnybody })
  expect(await session.refresh()).toEqual({ state: 'signed-out' })
  expect(asked).toEqual([])
  isAnybody = true
  expect(await session.refresh()).toMatchObject({ state: 'signed-in' })
})

it('says nothing of who is signed in where it cannot be told whether there is a session', async () => {
  const { client } = fakeOffice({ '/user/get': () => ({ body: ada }) })
  const session = createSession(client, { isAnybody: async () => await Promise.reject(new Error('away')) })
  await expect(session.refresh()).rejects.toThrow('away')
  expect(session.get()).toEqual({ state: 'unknown' })
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

it('accepts an invitation that waits, and works there, whether the office has entered it by itself or not', async () => {
  let current = ''
  const { client, asked } = fakeOffice({
    '/user/get': () => ({ body: { ...ada, currentOrganizationId: current } }),
    '/api/v1/organizations/join': ({ body }) => {
      if (current === '') current = String(body.organizationId)
      return { body: {} }
    },
    '/auth/switch-organization': ({ body }) => {
      current = String(body.organizationId)
      return { body: { user: {} } }
    },
  })
  const session = createSession(client)
  for (const organizationId of ['org_1', 'org_2'])
    expect(await session.acceptWaiting(organizationId)).toMatchObject({
      user: { currentOrganizationId: organizationId },
    })
  expect(asked.filter(({ path }) => path === '/auth/switch-organization')).toHaveLength(1)
})

it('tells organizations that a person works in from those that wait for them, and neither from what has ended', () => {
  const organizationMemberships = (['active', 'inactive', 'pending'] as const).map((status) => ({
    organization: { id: `org_${status}`, name: status, logoUrl: null },
    role: 'member' as const,
    status,
  }))
  expect(organizationsOf({ organizationMemberships })).toEqual({
    active: [organizationMemberships[0]?.organization],
    waiting: [organizationMemberships[2]?.organization],
  })
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

it('changes the address with both codes, and shows it', async () => {
  let email = ada.email
  const { client, asked } = fakeOffice({
    '/user/get': () => ({ body: { ...ada, email } }),
    '/user/email/change': () => ({ body: { expiresAt: '2026-03-01T09:10:00.000Z' } }),
    '/user/email/change/confirm': () => {
      email = 'ada@elsewhere.example'
      return { body: { ...ada, email } }
    },
  })
  const session = createSession(client)
  await session.refresh()
  expect(await session.changeEmail('ada@elsewhere.example')).toEqual(new Date('2026-03-01T09:10:00Z'))
  expect(session.get()).toMatchObject({ user: { email: ada.email } })
  const codes = { code: '111111', newCode: '222222' }
  expect(await session.confirmEmailChange(codes)).toMatchObject({ user: { email } })
  expect(asked.find(({ path }) => path === '/user/email/change/confirm')?.body).toEqual(codes)
})

it('is signed out once the account is deleted, and not before', async () => {
  const { client, asked } = fakeOffice({
    '/user/get': () => ({ body: ada }),
    '/user/delete': () => ({ body: { expiresAt: '2026-03-01T09:10:00.000Z' } }),
    '/user/delete/confirm': () => ({ status: 204 }),
  })
  const session = createSession(client)
  await session.refresh()
  expect(await session.deleteAccount()).toEqual(new Date('2026-03-01T09:10:00Z'))
  expect(session.get()).toMatchObject({ state: 'signed-in' })
  await session.confirmAccountDeletion('111111')
  expect(asked.at(-1)).toMatchObject({ path: '/user/delete/confirm', body: { code: '111111' } })
  expect(session.get()).toEqual({ state: 'signed-out' })
})
