import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf } from '../../../tests/chapters/chat.ts'
import { newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

type Founder = Awaited<ReturnType<typeof newFounder>>

let office: TestOffice
let outbox: RecordedOutbox
let founder: Founder
let [ada, ben, cleo] = [] as unknown as [Chatter, Chatter, Chatter]
beforeAll(async () => {
  office = await openTestOffice()
  outbox = await recordOutbox(office.database)
  founder = await newFounder(office)
  ada = await chatterOf(office, founder)
  ben = await chatterOf(office, await newMember(office, founder, 'member'))
  cleo = await chatterOf(office, await newMember(office, founder, 'member'))
})
afterAll(() => office.close())

let connections = 0

/** As the media server's events have it: a person is in a room, or was. */
async function visit(roomId: string, person: Chatter, ended = false): Promise<void> {
  connections += 1
  await office.database.pool.query(
    `insert into media_participants (sid, organization_id, room_sid, room_id, identity, user_id, counts, waits,
       joined_at, counted, ended_at, ended_by)
     select $1, organization_id, 'RM_test', id, $3::text, $3::text::bigint, true, false, now(), true,
       case when $4::boolean then now() end, case when $4::boolean then 'event' end
     from rooms where id = $2`,
    [`PA_${connections}`, roomId, person.id, ended],
  )
}
const open = (person: Chatter, p_room_id: string) =>
  person.rest.rpc('open_room_conversation', { p_room_id }).single()
async function opened(person: Chatter, roomId: string): Promise<number> {
  const { data, error } = await open(person, roomId)
  if (error) throw error
  return (data as { conversation_id: number }).conversation_id
}
const membersOf = async (id: number) => {
  const { rows } = await office.database.pool.query(
    'select user_id::text as id from conversation_members where conversation_id = $1 order by user_id',
    [id],
  )
  return rows.map((row) => row.id as string)
}
const idsOf = (...people: Chatter[]) =>
  people.map(({ id }) => id).sort((one, other) => Number(one) - Number(other))
const say = (person: Chatter, conversation_id: number, content: string) =>
  person.rest.from('messages').insert({ conversation_id, content }).select('message_id').single()
const rowOf = async (person: Chatter, id: number) => {
  const { data } = await person.rest.rpc('get_conversations')
  return (data as { conversation_id: number }[]).find(({ conversation_id }) => conversation_id === id)
}

describe('open_room_conversation', () => {
  it('opens the one conversation of a room, for who is and who was in it', async () => {
    const { id: roomId, name } = await newRoom(founder)
    await visit(roomId, ada)
    await visit(roomId, ben, true)
    const id = await opened(ada, roomId)
    expect(await membersOf(id)).toEqual(idsOf(ada))
    expect(await opened(ben, roomId)).toBe(id)
    expect(await opened(ada, roomId)).toBe(id)
    expect(await membersOf(id)).toEqual(idsOf(ada, ben))
    expect((await ben.rest.from('conversations').select().eq('conversation_id', id)).data).toMatchObject([
      { type: 'ROOM', title: name, room_id: roomId, low_user_id: null },
    ])
    expect(await rowOf(ben, id)).toMatchObject({ type: 'ROOM', title: name, room_id: roomId, members: [] })
    const dms = (await ben.rest.rpc('get_recent_dms')).data as { conversation_id: number }[]
    expect(dms.map(({ conversation_id }) => conversation_id)).not.toContain(id)
  })

  it('makes everybody who is inside a member, and tells each of them once', async () => {
    const { id: roomId } = await newRoom(founder)
    for (const person of [ada, ada, ben]) await visit(roomId, person)
    const id = await opened(ada, roomId)
    await opened(ben, roomId)
    expect(await membersOf(id)).toEqual(idsOf(ada, ben))
    const told = (await outbox.events(`user:${founder.organizationId}`)).filter(
      ({ type, data }) =>
        type === 'conversation.joined' && (data as { conversation_id: number }).conversation_id === id,
    )
    expect(told).toHaveLength(2)
  })

  it('asked by many at once, there is one', async () => {
    const { id: roomId } = await newRoom(founder)
    for (const person of [ada, ben, cleo]) await visit(roomId, person)
    const ids = await Promise.all([ada, ben, cleo, ada, ben, cleo].map((person) => opened(person, roomId)))
    expect(new Set(ids).size).toBe(1)
    expect(await membersOf(ids[0] as number)).toEqual(idsOf(ada, ben, cleo))
    const { rows } = await office.database.pool.query(
      'select count(*)::int as count from conversations where room_id = $1',
      [roomId],
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  it('refuses in words who never was in the room, its creator too', async () => {
    const { id: roomId } = await newRoom(founder)
    await visit(roomId, ben)
    for (const person of [ada, cleo])
      expect(await open(person, roomId)).toMatchObject({
        status: 403,
        error: { code: 'PT403', message: 'This conversation is for those who are or were in the room' },
      })
    await opened(ben, roomId)
    expect((await open(cleo, roomId)).status).toBe(403)
  })

  it('does not find what is no room of the organization', async () => {
    const stranger = await newFounder(office)
    const theirs = await newRoom(stranger)
    await visit(theirs.id, await chatterOf(office, stranger))
    for (const id of [theirs.id, '00000000-0000-4000-8000-000000000000', null])
      expect(await open(ada, id as string), String(id)).toMatchObject({
        status: 404,
        error: { code: 'PT404', message: 'there is no room of that id in this organization' },
      })
    expect(await open(ada, 'kitchen')).toMatchObject({ status: 400, error: { code: '22P02' } })
  })
})

describe('the conversation of a room', () => {
  it('reaches who has come in since, and does not count as unread what was said before', async () => {
    const { id: roomId } = await newRoom(founder)
    await visit(roomId, ada)
    const id = await opened(ada, roomId)
    await say(ada, id, 'before')
    await visit(roomId, ben)
    expect((await ben.rest.rpc('get_conversation_messages', { p_conversation_id: id })).data).toEqual([])
    const { data: message } = await say(ada, id, 'welcome')
    expect(await rowOf(ben, id)).toMatchObject({ unread_count: 1, last_message_content: 'welcome' })
    expect((await ben.rest.rpc('get_conversation_messages', { p_conversation_id: id })).data).toHaveLength(2)
    const heard = (await outbox.events(`user:${founder.organizationId}`)).filter(
      ({ type, data }) =>
        type === 'message.created' && (data as { message_id: number }).message_id === message?.message_id,
    )
    expect(heard).toHaveLength(2)
    await visit(roomId, cleo, true)
    expect(await opened(cleo, roomId)).toBe(id)
    expect(await rowOf(cleo, id)).toMatchObject({ unread_count: 0 })
  })

  it('is called as the room is', async () => {
    const { id: roomId } = await newRoom(founder)
    await visit(roomId, ada)
    const id = await opened(ada, roomId)
    await founder.browser.call('updateRoom', { roomId, name: 'Renamed for the chat' })
    expect(await rowOf(ada, id)).toMatchObject({ title: 'Renamed for the chat' })
  })

  it('can be read when the room is deleted, and takes nothing more', async () => {
    const { id: roomId, name } = await newRoom(founder)
    await visit(roomId, ada)
    const id = await opened(ada, roomId)
    await say(ada, id, 'goodbye')
    await founder.browser.call('deleteRoom', { roomId })
    expect(await say(ada, id, 'anybody?')).toMatchObject({
      status: 403,
      error: { code: 'PT403', message: 'This room has been deleted' },
    })
    expect(await rowOf(ada, id)).toMatchObject({ title: name, last_message_content: 'goodbye' })
    expect((await open(ada, roomId)).status).toBe(404)
  })
})
