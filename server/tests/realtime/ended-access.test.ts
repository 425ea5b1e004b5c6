import { once } from 'node:events'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { closed } from '../closed.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { invitationTokenFor, newFounder, newMember, type Person, signInAgain } from '../people.ts'
import { until } from '../until.ts'

/** What is minted from a session or a membership ends with it. Centrifugo is tried in `engines/centrifugo`. */
const SESSION_ENDED = [4502, 'session ended']
const ORGANIZATION_LEFT = [4501, 'organization left']
/** Clients drop their token and ask for another. */
const SESSION_REPLACED = [3014, 'session replaced']

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
  await until(async () => office.office.jobs.isLeader())
})
afterAll(() => office.close())

type Browser = Person['browser']

/** A connection with a token, as an unmodified client makes it; `answer` is the reply to its connect. */
async function connect(token: string) {
  const socket = new WebSocket(`${office.baseUrl.replace('http', 'ws')}/connection/websocket`)
  await once(socket, 'open')
  const closing = closed(socket).then(([code, reason]) => [code, String(reason)])
  socket.send(JSON.stringify({ id: 1, connect: { token } }))
  const [data] = await once(socket, 'message')
  const answer = JSON.parse(String(data)) as { connect?: object; error?: { code: number } }
  return { socket, closing, answer }
}

async function connected(browser: Browser) {
  const { token } = await browser.call('mintConnectionToken')
  const connection = await connect(token)
  expect(connection.answer.connect).toBeDefined()
  await browser.call('confirmPresence')
  return { ...connection, token, user: decodeJwt(token).sub as string }
}

async function readChat(token: string, baseUrl = office.baseUrl): Promise<number> {
  const answer = await fetch(`${baseUrl}/rest/v1/messages`, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.status
}

async function statusOf(browser: Browser, user: string): Promise<string | undefined> {
  return (await browser.call('getPresenceSnapshot', { userIds: [user] })).statuses[0]?.status
}

/** A token that was good a moment ago. */
async function refused(token: string): Promise<void> {
  const { answer, socket } = await connect(token)
  expect(answer).toEqual({ id: 1, error: { code: 109, message: 'token expired' } })
  socket.terminate()
}

describe('a session that ends by signing out', () => {
  it('takes its connection, its tokens and the presence along', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { closing, token, user } = await connected(member.browser)
    const chat = (await member.browser.call('mintChatToken')).token
    expect(await statusOf(founder.browser, user)).toBe('online')
    expect(await readChat(chat)).toBe(200)

    await member.browser.call('signOut')
    expect(await closing).toEqual(SESSION_ENDED)
    await refused(token)
    expect(await readChat(chat)).toBe(401)
    await until(async () => (await statusOf(founder.browser, user)) === 'offline')
  })

  it('leaves other sessions of the person, their connections and the presence alone', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { browser } = await signInAgain(office, member.email)
    const here = await connected(member.browser)
    const there = await connected(browser)
    const chat = (await browser.call('mintChatToken')).token
    await browser.call('setPresenceStatus', { status: 'busy' })

    await member.browser.call('signOut')
    expect(await here.closing).toEqual(SESSION_ENDED)
    await office.office.connectionEnder.settle()
    expect(there.socket.readyState).toBe(WebSocket.OPEN)
    expect(await readChat(chat)).toBe(200)
    expect(await statusOf(founder.browser, there.user)).toBe('busy')
    there.socket.terminate()
  })

  it('is found without a notification too', async () => {
    const founder = await newFounder(office)
    const { closing } = await connected(founder.browser)
    const chat = (await founder.browser.call('mintChatToken')).token
    expect(await readChat(chat)).toBe(200)
    await office.database.pool.query('alter table ended_access disable trigger user')
    await founder.browser.call('signOut')
    await office.database.pool.query('alter table ended_access enable trigger user')
    await office.office.jobs.runNow('find-ended-access')
    expect(await closing).toEqual(SESSION_ENDED)
    expect(await readChat(chat)).toBe(401)
  })

  it('ends its chat token on the other node', async () => {
    const other = await openTestOffice({ beside: office })
    try {
      const founder = await newFounder(office)
      const chat = (await founder.browser.call('mintChatToken')).token
      expect(await readChat(chat, other.baseUrl)).toBe(200)
      await founder.browser.call('signOut')
      await until(async () => (await readChat(chat, other.baseUrl)) === 401)
    } finally {
      await other.close()
    }
  })
})

describe('a session that is replaced', () => {
  it('asks its connections to come back with another token', async () => {
    const founder = await newFounder(office)
    const { closing, token } = await connected(founder.browser)
    const chat = (await founder.browser.call('mintChatToken')).token
    const { id } = await founder.browser.call('createOrganization', { name: 'Second' })
    await founder.browser.call('switchOrganization', { email: founder.email, organizationId: id })
    expect(await closing).toEqual(SESSION_REPLACED)
    await refused(token)
    expect(await readChat(chat)).toBe(401)
    const again = await connected(founder.browser)
    again.socket.terminate()
  })
})

describe('a membership that ends', () => {
  it('takes its connections and tokens along, and nothing of another organization', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { browser: elsewhere } = await signInAgain(office, member.email)
    const { id } = await elsewhere.call('createOrganization', { name: 'Their own' })
    await elsewhere.call('switchOrganization', { email: member.email, organizationId: id })
    const there = await connected(elsewhere)
    const here = await connected(member.browser)
    const chat = (await member.browser.call('mintChatToken')).token

    await founder.browser.call('removeMember', { id: member.id })
    expect(await here.closing).toEqual(ORGANIZATION_LEFT)
    await refused(here.token)
    expect(await readChat(chat)).toBe(401)
    await office.office.connectionEnder.settle()
    expect(there.socket.readyState).toBe(WebSocket.OPEN)
    there.socket.terminate()
  })

  it('does not come to life again for tokens of before with another one', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { token } = await member.browser.call('mintConnectionToken')
    const chat = (await member.browser.call('mintChatToken')).token
    await founder.browser.call('removeMember', { id: member.id })
    await founder.browser.call('sendInvitation', { email: member.email })
    const invitation = await invitationTokenFor(office, member.email)
    await member.browser.call('acceptInvitation', { token: invitation })
    await refused(token)
    expect(await readChat(chat)).toBe(401)
    const again = await connected(member.browser)
    expect(await readChat((await member.browser.call('mintChatToken')).token)).toBe(200)
    again.socket.terminate()
  })

  it('ends with its organization, and what was minted before stays ended when that is restored', async () => {
    const founder = await newFounder(office)
    const { closing, token } = await connected(founder.browser)
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    expect(await closing).toEqual(ORGANIZATION_LEFT)
    await office.database.pool.query(
      'update organizations set deleted_at = null where identity_organization_id = $1',
      [founder.organizationId],
    )
    await refused(token)
  })
})
