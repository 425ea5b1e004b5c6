import { isSafe, type OperationId, operations } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, type Person } from '../../../../tests/people.ts'
import { processorTimeOf } from '../../../../tests/run/timed.ts'

let office: TestOffice
let founder: Person & { organizationId: string }
beforeAll(async () => {
  office = await openTestOffice()
  founder = await newFounder(office)
})
afterAll(() => office.close())

/** Two kinds of marks, which normalization sorts: by itself it takes time with the square of their number. */
const marks = (bytes: number) => `a${'\u0301'.repeat(bytes / 4)}${'\u0327'.repeat(bytes / 4)}`
const ideographs = (count: number) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))

async function send(id: OperationId, body: unknown, query = '') {
  const { method, path } = operations[id]
  const answer = await fetch(office.baseUrl + path.replaceAll(/\{\w+\}/g, '1') + query, {
    method,
    headers: { cookie: `atrium_session=${founder.cookie}`, 'content-type': 'application/json' },
    body: isSafe(method) ? null : JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

/** Half a second of a busy machine for what took seconds; what is right takes a few milliseconds. */
const MILLISECONDS = 150

describe('what is refused before it is read', () => {
  it.each<[string, OperationId, unknown, field: string]>([
    ['marks at sign-in', 'signIn', { email: marks(60_000) }, 'email'],
    ['marks at sign-up', 'signUp', { email: marks(200_000) }, 'email'],
    ['marks at a guest’s preview', 'previewGuestInvite', { inviteToken: marks(60_000) }, 'inviteToken'],
    ['marks at recovery', 'recoverAccess', { token: marks(60_000) }, 'token'],
    ['marks in a name', 'createOrganization', { name: marks(60_000) }, 'name'],
    ['few marks, and still too many', 'createOrganization', { name: `Acme${'\u0301'.repeat(31)}` }, 'name'],
    ['marks in a field of nobody', 'createOrganization', { name: 'Acme', other: marks(60_000) }, 'body'],
    ['half a character in a message', 'sendMessage', { conversationId: 1, content: 'a\ud83d' }, 'content'],
    ['half a character of metadata', 'createRoom', { name: 'Room', metadata: { a: '\ud83d' } }, 'metadata'],
    ['an address with a host without end', 'signIn', { email: `a@${ideographs(20_000)}.de` }, 'email'],
    ['an address of many labels', 'signIn', { email: `a@${'ü.'.repeat(40_000)}de` }, 'email'],
    ['lists without end', 'createOrganization', { name: nested(60_000) }, 'name'],
    ['33 lists', 'createRoom', { name: 'Room', metadata: { list: nested(31) } }, 'metadata'],
    ['many keys', 'createRoom', { name: 'Room', metadata: keys(10_001) }, 'metadata'],
    ['a long key', 'createRoom', { name: 'Room', metadata: { ['k'.repeat(16_385)]: 1 } }, 'metadata'],
    ['a key of marks', 'createRoom', { name: 'Room', metadata: { [marks(60_000)]: 1 } }, 'metadata'],
    ['many values', 'createOrganization', { name: 'Acme', other: Array(20_000).fill(1) }, 'body'],
  ])('%s', async (_case, id, body, field) => {
    let answer: Awaited<ReturnType<typeof send>> | undefined
    const took = await processorTimeOf(async () => {
      answer = await send(id, body)
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid-input', details: [{ field, message: expect.any(String) }] },
    })
    expect(answer?.body.details).toHaveLength(1)
    expect(JSON.stringify(answer?.body).length).toBeLessThan(500)
    expect(took).toBeLessThan(MILLISECONDS)
  })

  it('sixty thousand empty addresses', async () => {
    let answer: Awaited<ReturnType<typeof send>> | undefined
    const took = await processorTimeOf(async () => {
      answer = await send('sendInvitation', { emails: Array(60_000).fill('') })
    })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'emails' }] } })
    expect(answer?.body.details).toHaveLength(1)
    expect(took).toBeLessThan(MILLISECONDS)
  })

  it('with the status of its operation', async () => {
    const answer = await send('finalizeAvatarUpload', { tmpKey: marks(60_000) })
    expect(answer).toMatchObject({ status: 422, body: { code: 422, error: 'invalid-input' } })
  })

  it('in a query too', async () => {
    const token = encodeURIComponent(`a${'\u0301'.repeat(31)}`)
    const answer = await send('showInvitation', {}, `?token=${token}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid-input', details: [{ field: 'token' }] },
    })
  })

  it('after the guard: without a session it is 401, with any body', async () => {
    const answer = await fetch(office.baseUrl + operations.createOrganization.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: marks(60_000) }),
    })
    expect(answer.status).toBe(401)
  })
})

describe('what is taken', () => {
  it.each<[string, unknown]>([
    ['thirty marks in a row', { name: `Acme${'\u0301'.repeat(30)}` }],
    ['unknown fields that are dropped', { name: 'Acme', other: 'x'.repeat(16_384), more: nested(31) }],
  ])('%s', async (_case, body) => {
    expect(await send('createOrganization', body)).toMatchObject({ status: 200 })
  })

  it('32 lists and objects within each other', async () => {
    const answer = await send('createRoom', { name: `Room ${Math.random()}`, metadata: { list: nested(30) } })
    expect(answer).toMatchObject({ status: 200, body: { room: { metadata: { list: nested(30) } } } })
  })

  it.each([
    ['a text that no name can have', 'x'.repeat(200_000)],
    ['marks without end', marks(200_000)],
    ['321 characters', '🦊'.repeat(321)],
  ])('any search for members: %s finds none', async (_case, query) => {
    let answer: Awaited<ReturnType<typeof send>> | undefined
    const took = await processorTimeOf(async () => {
      answer = await send('listMembers', { query, limit: 3, offset: 2 })
    })
    expect(answer).toEqual({
      status: 200,
      body: { data: [], page: { limit: 3, offset: 2, total: 0 } },
    })
    expect(took).toBeLessThan(MILLISECONDS)
  })
})
