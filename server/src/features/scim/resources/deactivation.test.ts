import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { insideOf, joinRoom, newRoom } from '../../../../tests/chapters/rooms.ts'
import { type Directory, newDirectory, provisioned, scimClient } from '../../../../tests/chapters/scim.ts'
import { closed } from '../../../../tests/closed.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import {
  auditOf,
  linkTokenOf,
  newFounder,
  newMember,
  newPerson,
  signInAgain,
} from '../../../../tests/people.ts'
import { until } from '../../../../tests/until.ts'

const WITHIN_MS = 5_000
/** What a call takes at most on a machine that has room. */
const CALL_MS = 50

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
  // the broker is this node's
  await until(async () => office.office.jobs.isLeader())
})
afterAll(() => office.close())

async function readChat(node: TestOffice, token: string): Promise<number> {
  const answer = await fetch(`${node.baseUrl}/rest/v1/messages`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Undefined where it is let in. */
async function connect(node: TestOffice, token: string) {
  const socket = new WebSocket(`${node.baseUrl.replace('http', 'ws')}/connection/websocket`)
  await once(socket, 'open')
  const closing = closed(socket)
  socket.send(JSON.stringify({ id: 1, connect: { token } }))
  const [data] = await once(socket, 'message')
  const { error } = JSON.parse(String(data)) as { error?: { code: number } }
  return { socket, closing, error }
}

it('moves on what a directory reads as the last change, whatever it was before', async () => {
  const directory = await newDirectory(office)
  const { id } = await provisioned(directory)
  const changedAt = async () => {
    const { body } = await directory.scim.send('GET', `/Users/${id}`)
    return (body.meta as { lastModified: string }).lastModified
  }
  const before = await changedAt()
  await directory.scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
  expect(Date.parse(await changedAt())).toBeGreaterThan(Date.parse(before))
})

/** The bound, and as many times more as this machine is slower now than one that has room. */
async function bound(): Promise<number> {
  const began = performance.now()
  for (let call = 0; call < 5; call += 1) await (await fetch(`${office.baseUrl}/health/live`)).arrayBuffer()
  return WITHIN_MS * Math.max(1, (performance.now() - began) / 5 / CALL_MS)
}

/** How long after a moment each of some things has ended, in milliseconds. */
async function measured(
  what: string,
  began: number,
  endings: Record<string, Promise<unknown>>,
): Promise<Record<string, number>> {
  const took: Record<string, number> = {}
  const timed = Object.entries(endings).map(async ([name, ending]) => {
    await ending
    took[name] = Math.round(performance.now() - began)
  })
  await Promise.all(timed)
  process.stdout.write(`${what}, milliseconds to the end of: ${JSON.stringify(took)}\n`)
  return took
}

/** What a signed-in user holds, and when each of it has come to its end. */
async function holdings(directory: Directory, { id, email }: { id: string; email: string }) {
  const { browser } = await signInAgain(office, email)
  const { token: chat } = await browser.call('mintChatToken')
  const { token: realtime } = await browser.call('mintConnectionToken')
  const { id: roomId } = await newRoom(directory.founder)
  const { token: room } = await browser.call('authorizeRoom', { username: 'Ada', roomId })
  await joinRoom(office, room)
  const { closing, error } = await connect(office, realtime)
  expect(error).toBeUndefined()
  expect(await readChat(office, chat)).toBe(200)
  expect([...(await insideOf(office, roomId)).keys()]).toEqual([id])
  const endings = () => ({
    session: until(async () => (await browser.request('getCurrentUser')).status === 401),
    'realtime connection': closing,
    'connection token': until(async () => {
      const again = await connect(office, realtime)
      again.socket.terminate()
      return again.error !== undefined
    }),
    'chat token': until(async () => (await readChat(office, chat)) === 401),
    'presence in the room': until(async () => (await insideOf(office, roomId)).size === 0),
  })
  return { endings, chat, browser }
}

describe('a member whom a directory deactivates', () => {
  it.each<{ way: string; request: (id: string) => [method: string, path: string, body?: object] }>([
    {
      way: 'by a patch',
      request: (id) => [
        'PATCH',
        `/Users/${id}`,
        { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
      ],
    },
    {
      way: 'by a whole resource',
      request: (id) => ['PUT', `/Users/${id}`, { userName: `gone-${id}`, active: false }],
    },
    { way: 'by deletion', request: (id) => ['DELETE', `/Users/${id}`] },
  ])('$way loses all access within five seconds', async ({ way, request }) => {
    const directory = await newDirectory(office)
    const person = await provisioned(directory)
    const { endings } = await holdings(directory, person)
    const withinMs = await bound()
    const began = performance.now()
    const { status } = await directory.scim.send(...request(person.id))
    expect([200, 204]).toContain(status)
    const took = await measured(`deactivated ${way}`, began, endings())
    expect(Object.keys(took)).toHaveLength(5)
    for (const milliseconds of Object.values(took)) expect(milliseconds).toBeLessThan(withinMs)
    // who signs in again is in nothing
    const again = await signInAgain(office, person.email)
    expect(await again.browser.call('listOrganizations')).toEqual([])
    const { data } = await directory.founder.browser.call('listMembers')
    expect(data.map((member) => member.id)).not.toContain(person.id)
  })

  it('loses it on every node, whichever has heard of it', async () => {
    const other = await openTestOffice({ beside: office })
    try {
      const directory = await newDirectory(office)
      const person = await provisioned(directory)
      const { chat } = await holdings(directory, person)
      const { browser: here } = await signInAgain(office, person.email)
      const { browser: there } = await signInAgain(other, person.email)
      expect(await readChat(other, chat)).toBe(200)
      const withinMs = await bound()
      const began = performance.now()
      // rooms of the stand-in are those of one node: whichever works it off looks into its own
      await scimClient(other, directory.token).send('DELETE', `/Users/${person.id}`)
      const ended = (browser: typeof here) =>
        until(async () => (await browser.request('getCurrentUser')).status === 401)
      const refused = (node: TestOffice) => until(async () => (await readChat(node, chat)) === 401)
      const took = await measured('deactivated at the other node', began, {
        'session at the first node': ended(here),
        'session at the second node': ended(there),
        'chat token at the first node': refused(office),
        'chat token at the second node': refused(other),
      })
      for (const milliseconds of Object.values(took)) expect(milliseconds).toBeLessThan(withinMs)
    } finally {
      await other.close()
    }
  })

  it('stays signed in elsewhere: sign-ins of another organization are not its to end', async () => {
    const directory = await newDirectory(office)
    const person = await newPerson(office, `ada@${directory.domain}`)
    const elsewhere = await newFounder(office)
    await newMember(office, elsewhere, 'member', person)
    await directory.scim.send('POST', '/Users', { userName: person.email })
    const active = { op: 'replace', value: { active: false } }
    expect(await directory.scim.patch(`/Users/${person.id}`, active)).toMatchObject({
      status: 200,
      body: { active: false },
    })
    expect(await person.browser.call('listOrganizations')).toMatchObject([
      { organizationId: elsewhere.organizationId },
    ])
    expect(await person.browser.request('listMembers')).toMatchObject({ status: 200 })
  })

  it('is signed out where the only other organization is deleted', async () => {
    const directory = await newDirectory(office)
    const person = await newPerson(office, `ada@${directory.domain}`)
    const elsewhere = await newFounder(office)
    await newMember(office, elsewhere, 'member', person)
    await directory.scim.send('POST', '/Users', { userName: person.email })
    await elsewhere.browser.call('deleteOrganization', { organizationId: elsewhere.organizationId })
    const { status } = await directory.scim.patch(`/Users/${person.id}`, {
      op: 'replace',
      value: { active: false },
    })
    expect(status).toBe(200)
    await until(async () => (await person.browser.request('getCurrentUser')).status === 401)
  })

  it('comes back with the role they had when the directory says so, and by nothing else', async () => {
    const directory = await newDirectory(office)
    const { id, email } = await provisioned(directory)
    const { browser } = directory.founder
    await browser.call('updateMember', { id, role: 'moderator' })
    const patch = (value: boolean) =>
      directory.scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value })
    await patch(false)
    const removed = (await auditOf(directory.founder)).at(-1)
    expect(removed).toMatchObject({
      action: 'member.removed',
      actor: { kind: 'directory' },
      detail: { role: 'moderator' },
    })
    const { browser: theirs } = await signInAgain(office, email)
    const inviteToken = await linkTokenOf(directory.founder)
    expect(await theirs.request('joinOrganization', { inviteToken })).toMatchObject({
      status: 403,
      body: { error: 'removed' },
    })
    expect((await patch(true)).body).toMatchObject({ active: true, roles: [{ value: 'moderator' }] })
    expect(await theirs.call('listOrganizations')).toMatchObject([{ userRole: 'moderator' }])
    // deleted, and made again
    await directory.scim.send('DELETE', `/Users/${id}`)
    expect(await directory.scim.get(`/Users/${id}`)).toMatchObject({ status: 404 })
    expect(await directory.scim.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 404 })
    expect(await directory.scim.send('POST', '/Users', { userName: email })).toMatchObject({
      status: 201,
      body: { id, roles: [{ value: 'moderator' }] },
    })
  })

  it('is not brought back by it whom an admin has removed: that is written down', async () => {
    const directory = await newDirectory(office)
    const { id, email } = await provisioned(directory)
    await directory.founder.browser.call('removeMember', { id })
    expect((await directory.scim.get(`/Users/${id}`)).body).toMatchObject({ active: false })
    const refused = { status: 403, body: { detail: expect.stringContaining('invite') } }
    expect(
      await directory.scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true }),
    ).toMatchObject(refused)
    expect((await auditOf(directory.founder)).at(-2)).toMatchObject({
      action: 'member.join-refused',
      actor: { kind: 'directory', id: directory.connectionId },
      detail: { way: 'directory', reason: 'removed' },
    })
    await directory.scim.send('DELETE', `/Users/${id}`)
    expect(await directory.scim.send('POST', '/Users', { userName: email })).toMatchObject(refused)
    expect(await directory.scim.get(`/Users/${id}`)).toMatchObject({ status: 404 })
    // what it says of them otherwise is heard
    await directory.founder.browser.call('sendInvitation', { email, role: 'guest' })
    const { browser } = await signInAgain(office, email)
    const { data } = await directory.founder.browser.call('listInvitation', { email })
    await browser.call('acceptInvitation', { token: data[0]?.token as string })
    expect((await directory.scim.get(`/Users/${id}`)).body).toMatchObject({
      active: true,
      roles: [{ value: 'guest' }],
    })
  })
})
