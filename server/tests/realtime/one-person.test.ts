import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { chatterOf, openDm, restOf } from '../chapters/chat.ts'
import { atMedia, insideOf, joinRoom, newRoom } from '../chapters/rooms.ts'
import { closed } from '../closed.ts'
import { type Listener, listenAs } from '../listener.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import {
  auditOf,
  invitationTokenFor,
  linkTokenOf,
  newFounder,
  newPerson,
  type Person,
  signInAgain,
} from '../people.ts'
import { until } from '../until.ts'

/** All of a minute may come at once; a caller that sends more is refused. */
const CALLS_A_MINUTE = 100

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({ settings: { RATE_LIMIT_PER_USER: String(CALLS_A_MINUTE) } })
  await until(async () => office.office.jobs.isLeader())
})
afterAll(() => office.close())

type Founder = Awaited<ReturnType<typeof newFounder>>
type Browser = Person['browser']

/** The newest invitation of an address, as its organization sees it. */
async function invitationOf({ browser }: Pick<Person, 'browser'>, email: string) {
  const [newest] = (await browser.call('listInvitation', { email, limit: 1 })).data
  if (!newest) throw new Error(`${email} is not invited`)
  return newest
}

/** A connection as a tab makes one, with what the office says when it closes it. */
async function tab(browser: Browser) {
  const { token } = await browser.call('mintConnectionToken')
  const socket = new WebSocket(`${office.baseUrl.replace('http', 'ws')}/connection/websocket`)
  await once(socket, 'open')
  const closing = closed(socket).then(([code, reason]) => [code, String(reason)])
  socket.send(JSON.stringify({ id: 1, connect: { token } }))
  const [answer] = await once(socket, 'message')
  return {
    socket,
    closing,
    token,
    answer: JSON.parse(String(answer)) as { connect?: object; error?: object },
  }
}

/** The connection that an earlier token would make. */
async function refusedConnection(token: string): Promise<unknown> {
  const socket = new WebSocket(`${office.baseUrl.replace('http', 'ws')}/connection/websocket`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, connect: { token } }))
  const [answer] = await once(socket, 'message')
  socket.terminate()
  return JSON.parse(String(answer)).error
}

/** Invited twice: the first mail leads nowhere any more, of the second two clicks make one member. */
async function comes(founder: Founder, listener: Listener): Promise<Person> {
  const email = freshEmail('grace')
  await founder.browser.call('sendInvitation', { email })
  const first = await invitationTokenFor(office, email)
  await founder.browser.call('sendInvitation', { email, role: 'moderator' })
  const { id: invitationId, token } = await invitationOf(founder, email)
  const person = await newPerson(office, email)
  expect(await person.browser.request('acceptInvitation', { token: first })).toMatchObject({
    status: 410,
    body: { error: 'invitation-revoked' },
  })
  const clicks = await Promise.all([1, 2].map(() => person.browser.request('acceptInvitation', { token })))
  expect(clicks.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(clicks.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'invitation-accepted' })
  const accepted = { invitationId, state: 'accepted' }
  await until(() => listener.heard('invitation.changed').some((one) => isLike(one, accepted)))
  const told = () => listener.heard('member.joined').filter((one) => isLike(one, { userId: person.id }))
  await until(() => told().length > 0 && listener.heard('invitation.accepted').length > 0)
  expect(told()).toHaveLength(1)
  expect(listener.heard('invitation.accepted')).toHaveLength(1)
  const joins = (await auditOf(founder)).filter(({ action }) => action === 'invitation.accepted')
  expect(joins).toHaveLength(1)
  const { data } = await founder.browser.call('listMembers', {})
  expect(data.find(({ id }) => id === person.id)).toMatchObject({ email, role: 'moderator' })
  return person
}

function isLike(event: unknown, fields: Record<string, unknown>): boolean {
  return Object.entries(fields).every(([name, value]) => (event as Record<string, unknown>)[name] === value)
}

/** Two tabs are one session: a switch in one of them moves both, and the other comes back by a new token. */
async function switchesInOneTab(person: Person, organizationId: string): Promise<void> {
  const { browser, email } = person
  const { id: own } = await browser.call('createOrganization', { name: 'Her own' })
  const [one, other] = [await tab(browser), await tab(browser)]
  expect([one.answer.connect, other.answer.connect]).toEqual([expect.anything(), expect.anything()])
  await browser.call('switchOrganization', { email, organizationId: own })
  expect(await Promise.all([one.closing, other.closing])).toEqual([
    [3014, 'session replaced'],
    [3014, 'session replaced'],
  ])
  expect(await refusedConnection(other.token)).toMatchObject({ code: 109 })
  // the tab that did not switch works where the session does, and sees no member of before
  const { data } = await browser.call('listMembers', {})
  expect(data.map(({ id }) => id)).toEqual([person.id])
  await browser.call('switchOrganization', { email, organizationId })
  expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(organizationId)
}

/** What is ended on another machine ends there alone. */
async function signsOutElsewhere(person: Person, organizationId: string): Promise<void> {
  const { browser: laptop } = await signInAgain(office, person.email).then(async ({ browser, user }) => {
    const { pendingAuthenticationToken } = user as { pendingAuthenticationToken: string }
    await browser.call('selectOrganization', { pendingAuthenticationToken, organizationId })
    return { browser }
  })
  const [here, there] = [await tab(person.browser), await tab(laptop)]
  expect((await person.browser.call('listSessions')).sessions).toHaveLength(2)
  await laptop.call('signOut')
  expect(await there.closing).toEqual([4502, 'session ended'])
  expect(await laptop.request('getCurrentUser')).toMatchObject({ status: 401 })
  expect(here.socket.readyState).toBe(WebSocket.OPEN)
  expect((await person.browser.call('listSessions')).sessions).toHaveLength(1)
  here.socket.terminate()
}

/** A person's credentials and connections, in a room and in a conversation. */
async function isBusyInside(founder: Founder, person: Person) {
  const { id: roomId } = await newRoom(founder)
  const authorize = { username: 'Grace', roomId }
  const { token: room } = await person.browser.call('authorizeRoom', authorize)
  await joinRoom(office, room)
  const chatter = await chatterOf(office, person)
  const conversation_id = await openDm(chatter, founder)
  const { error } = await chatter.rest.from('messages').insert({ conversation_id, content: 'I am here' })
  expect(error).toBeNull()
  return { roomId, room, chat: chatter.token, conversation_id, ...(await tab(person.browser)) }
}

type Held = Awaited<ReturnType<typeof isBusyInside>>

/** Removed by a colleague: all members hear of it once, and nothing that the person held is worth anything. */
async function isRemoved(founder: Founder, person: Person, held: Held, listener: Listener): Promise<void> {
  const { roomId } = held
  const about = { roomId, userId: person.id }
  await until(() => listener.heard('room.entered').some((one) => isLike(one, about)))
  await founder.browser.call('removeMember', { id: person.id })
  expect(await held.closing).toEqual([4501, 'organization left'])
  await until(() => listener.heard('room.left').some((one) => isLike(one, about)))
  await until(() => listener.heard('member.removed').some((one) => isLike(one, { userId: person.id })))
  expect(listener.heard('room.left').filter((one) => isLike(one, about))).toHaveLength(1)
  await until(async () => (await insideOf(office, roomId)).size === 0)

  expect(await refusedConnection(held.token)).toMatchObject({ code: 109 })
  const { status } = await restOf(office, held.chat).from('messages').select()
  expect(status).toBe(401)
  // the media server lets them in by an earlier token: they are put out as they appear
  expect((await atMedia(office, 'join', { token: held.room })).status).toBe(200)
  await until(async () => (await insideOf(office, roomId)).size === 0)
  // the session lives, and works nowhere
  expect((await person.browser.call('getCurrentUser')).currentOrganizationId).toBe('')
  expect(await person.browser.request('listMembers', {})).toMatchObject({
    status: 403,
    body: { error: 'no-active-organization' },
  })
  const back = { email: person.email, organizationId: founder.organizationId }
  expect((await person.browser.request('switchOrganization', back)).status).toBe(404)
  expect((await founder.browser.request('getMember', { id: person.id })).status).toBe(404)
}

/** The link keeps a removed person out; an invitation lets them in, as a new member and with what they wrote. */
async function comesBack(founder: Founder, person: Person, held: Held, listener: Listener): Promise<void> {
  const inviteToken = await linkTokenOf(founder)
  expect(await person.browser.request('joinOrganization', { inviteToken })).toMatchObject({
    status: 403,
    body: { error: 'removed' },
  })
  const joined = () => listener.heard('member.joined').filter((one) => isLike(one, { userId: person.id }))
  expect(joined()).toHaveLength(1)
  const refused = (await auditOf(founder)).filter(({ action }) => action === 'member.join-refused')
  expect(refused).toMatchObject([{ target: { id: person.id }, detail: { way: 'link', reason: 'removed' } }])

  await founder.browser.call('sendInvitation', { email: person.email })
  const { token } = await invitationOf(founder, person.email)
  // the role of now, not the one of before
  expect(await person.browser.call('acceptInvitation', { token })).toMatchObject({ role: 'member' })
  await until(() => joined().length === 2)
  await person.browser.call('switchOrganization', {
    email: person.email,
    organizationId: founder.organizationId,
  })
  expect(await refusedConnection(held.token)).toMatchObject({ code: 109 })
  expect((await restOf(office, held.chat).from('messages').select()).status).toBe(401)
  const again = await chatterOf(office, person)
  const { data } = await again.rest
    .from('messages')
    .select('content')
    .eq('conversation_id', held.conversation_id)
  expect(data).toEqual([{ content: 'I am here' }])
}

/** Calls as fast as it can for as long as the story takes. @returns what it was answered */
function overdoes({ browser }: Person) {
  let over = false
  const statuses = new Map<number, number>()
  const caller = async () => {
    while (!over) {
      const { status } = await browser.request('listMembers', {})
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // who is refused asks again, and leaves the machine to others meanwhile
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const callers = Promise.all([1, 2, 3].map(caller))
  return async () => {
    over = true
    await callers
    return statuses
  }
}

it('one person comes, works, is removed and comes back, and everybody sees it, next to a neighbour who overdoes it', async () => {
  const founder = await newFounder(office)
  const listener = await listenAs(founder)
  const neighbour = await newFounder(office, 'Next door')
  const nextDoor = await listenAs(neighbour)
  const endOf = overdoes(neighbour)
  try {
    const person = await comes(founder, listener)
    await switchesInOneTab(person, founder.organizationId)
    await signsOutElsewhere(person, founder.organizationId)
    const held = await isBusyInside(founder, person)
    await isRemoved(founder, person, held, listener)
    await comesBack(founder, person, held, listener)
  } finally {
    const answers = await endOf()
    listener.close()
    // served up to the limit and then refused, and never shown another person's
    expect(answers.get(200)).toBeGreaterThan(0)
    expect(answers.get(429)).toBeGreaterThan(0)
    expect([...answers.keys()].sort()).toEqual([200, 429])
    for (const type of ['member.joined', 'member.removed', 'room.entered', 'invitation.changed'])
      expect(nextDoor.heard(type)).toEqual([])
    nextDoor.close()
  }
})
