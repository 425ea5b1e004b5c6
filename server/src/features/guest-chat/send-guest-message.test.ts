import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatterOf } from '../../../tests/chapters/chat.ts'
import {
  enterRoom,
  guestLink,
  joinRoom,
  knock,
  newRoom,
  type TestGuest,
} from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'

describe('guests in the conversation of their room', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  /** A guest who is in a room with the founder. */
  async function scene() {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    await enterRoom(office, founder, roomId)
    const inviteToken = await guestLink(founder, roomId)
    const guest = await knock(inviteToken, office.browser())
    const { inviteId = '' } = await guest.browser.call('authorizeGuest', { inviteToken, guestName: 'Gast' })
    const named = { roomId, guestIdentity: guest.guestIdentity }
    const admit = () => founder.browser.call('admitGuest', { ...named, action: 'admit' })
    const send = (content: string, more = {}, { browser }: Pick<TestGuest, 'browser'> = guest) =>
      browser.request('sendGuestMessage', { inviteId, content, ...more })
    let reads = 0
    // the database has a clock of its own: the office's goes on for the moment of the reading alone
    const read = async (more = {}) => {
      reads += 1
      office.clock.advance(reads)
      const { messages } = await guest.browser.call('listGuestMessages', { inviteId, ...more })
      office.clock.advance(-reads)
      return messages
    }
    return { founder, roomId, guest, inviteId, named, admit, send, read }
  }

  it('write and read from their admission on, and are shown as guests', async () => {
    const { founder, roomId, guest, admit, send, read } = await scene()
    const chatter = await chatterOf(office, founder)
    const { data: opened } = await chatter.rest
      .rpc('open_room_conversation', { p_room_id: roomId })
      .single<{ conversation_id: number }>()
    const conversation_id = opened?.conversation_id as number
    const write = (content: string) => chatter.rest.from('messages').insert({ conversation_id, content })
    await write('Before they came')
    expect(await send('Too early')).toMatchObject({ status: 401 })
    await joinRoom(office, guest.rtcToken)
    await admit()
    expect((await send('Hello')).status).toBe(204)
    await write('Welcome')
    const seen = await read()
    expect(seen).toMatchObject([
      { name: 'Gast', guestIdentity: guest.guestIdentity, mine: true, content: 'Hello' },
      { mine: false, content: 'Welcome' },
    ])
    expect(await read({ after: seen[0]?.id })).toMatchObject([{ content: 'Welcome' }])
    const { data: rows } = await chatter.rest
      .from('messages')
      .select()
      .eq('conversation_id', conversation_id)
      .order('message_id')
    expect(rows).toMatchObject([{ content: 'Before they came' }, { sender_id: 0, content: 'Hello' }, {}])
    const { data: page } = await chatter.rest.rpc('get_conversation_messages', {
      p_conversation_id: conversation_id,
    })
    expect(page.map((row: { sender_id: number }) => row.sender_id)).toEqual([
      ...[Number(founder.id), 0, Number(founder.id)],
    ])
    const [told] = (await outbox.events(`user:${founder.organizationId}`)).filter(
      ({ type, data }) => type === 'message.created' && (data as { content: string }).content === 'Hello',
    )
    expect(told?.data).toMatchObject({
      sender_id: 0,
      guest: { identity: guest.guestIdentity, name: 'Gast' },
    })
    const { data: conversations } = await chatter.rest.rpc('get_conversations')
    expect(conversations).toMatchObject([{ conversation_id, unread_count: 1 }])
  })

  it('are there once, however often they are sent, and under the limits of messages', async () => {
    const { admit, send, read } = await scene()
    await admit()
    const clientMessageId = randomUUID()
    for (let time = 0; time < 3; time += 1) expect((await send('Once', { clientMessageId })).status).toBe(204)
    expect(await read()).toMatchObject([{ mine: true, clientMessageId, content: 'Once' }])
    for (let sent = 1; sent < 5; sent += 1) await send(`${sent}`)
    expect(await send('Too many')).toMatchObject({ status: 429, body: { error: 'rate-limited' } })
  })

  it('say something that can be seen, in 4,000 characters', async () => {
    const { admit, send } = await scene()
    await admit()
    for (const content of [' ', '\u200b', 'x'.repeat(4_001), `e${'\u0301'.repeat(31)}`])
      expect(await send(content), content.slice(0, 5)).toMatchObject({
        status: 400,
        body: { error: 'invalid-input' },
      })
    expect((await send('x'.repeat(4_000))).status).toBe(204)
  })

  it('are refused who were put out, and whoever has another cookie or none', async () => {
    const { founder, named, admit, send, guest, inviteId } = await scene()
    await admit()
    expect(await send('Mine', {}, founder)).toMatchObject({ status: 401, body: { error: 'unauthenticated' } })
    expect(await send('Mine', {}, { browser: office.browser() })).toMatchObject({ status: 401 })
    const other = await scene()
    await other.admit()
    expect(await other.guest.browser.request('sendGuestMessage', { inviteId, content: 'x' })).toMatchObject({
      status: 401,
    })
    await founder.browser.call('removeGuest', named)
    expect(await send('Still here')).toMatchObject({ status: 401 })
    expect(await guest.browser.request('listGuestMessages', { inviteId })).toMatchObject({ status: 401 })
  })

  it('have no room any more once its organization is deleted, and none once it is restored', async () => {
    const { founder, admit, send, guest, inviteId } = await scene()
    await admit()
    expect((await send('Hello')).status).toBe(204)
    const { organizationId } = founder
    await founder.browser.call('deleteOrganization', { organizationId })
    const refused = { status: 401, body: { error: 'unauthenticated' } }
    const isRefused = async () => {
      expect(await send('Still here')).toMatchObject(refused)
      expect(await guest.browser.request('listGuestMessages', { inviteId })).toMatchObject(refused)
      expect(await guest.browser.request('fetchGuestRoomKey', { inviteId })).toMatchObject(refused)
      const said = { inviteId, sound: 'on', speaking: false, hand: false } as const
      expect(await guest.browser.request('setGuestActivity', said)).toMatchObject(refused)
    }
    await isRefused()
    await office.database.pool.query(
      'update organizations set deleted_at = null where identity_organization_id = $1',
      [organizationId],
    )
    await isRefused()
  })
})
