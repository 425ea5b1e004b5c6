import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, openDm, openGroup } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { createServer } from '../../platform/http/server.ts'
import { serveChatData } from './routes.ts'

type Founder = Awaited<ReturnType<typeof newFounder>>

let office: TestOffice
let outbox: RecordedOutbox
let founder: Founder
let stranger: Founder
let [ada, ben, cleo, dora] = [] as unknown as [Chatter, Chatter, Chatter, Chatter]
beforeAll(async () => {
  office = await openTestOffice()
  outbox = await recordOutbox(office.database)
  founder = await newFounder(office)
  stranger = await newFounder(office)
  const more = async () => await chatterOf(office, await newMember(office, founder, 'member'))
  ada = await chatterOf(office, founder)
  ben = await more()
  cleo = await more()
  dora = await more()
})
afterAll(() => office.close())

const refusal = async (p_user_ids: unknown, more: object = {}) => {
  const { status, error } = await ada.rest.rpc('open_conversation', { p_user_ids, ...more })
  return { status, code: error?.code, message: error?.message }
}
const listOf = async (person: Chatter) => (await person.rest.rpc('get_conversations')).data as Row[]
const rowOf = async (person: Chatter, id: number) =>
  (await listOf(person)).find(({ conversation_id }) => conversation_id === id)
const say = (person: Chatter, conversation_id: number, content: string) =>
  person.rest.from('messages').insert({ conversation_id, content }).select('message_id').single()

/** What the database answers to the holder of a token, whatever the node knows of it. */
async function rowsAs({ token }: Chatter, statement: string): Promise<unknown[]> {
  const claims = Buffer.from(token.split('.')[1] as string, 'base64url').toString('utf8')
  const client = await office.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role authenticated')
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [claims])
    return (await client.query(statement)).rows
  } finally {
    await client.query('rollback')
    client.release()
  }
}

interface Row {
  conversation_id: number
  type: string
  title: string | null
  members: { user_id: number; display_name: string; is_active: boolean }[]
  peer_user_id: number | null
  last_message_content: string | null
  unread_count: number
  updated_at: string
}

describe('open_conversation', () => {
  it('makes a group of the caller and others, each named once', async () => {
    const { data, error } = await ada.rest
      .rpc('open_conversation', { p_user_ids: [ben.id, ben.id, ada.id, cleo.id], p_title: '  Spring  ' })
      .single()
    expect(error).toBeNull()
    const { conversation_id: id } = data as { conversation_id: number }
    expect(data).toEqual({ conversation_id: expect.any(Number) })
    for (const person of [ada, ben, cleo]) {
      const { data: rows } = await person.rest.from('conversations').select().eq('conversation_id', id)
      expect(rows).toMatchObject([
        { type: 'GROUP', title: 'Spring', room_id: null, low_user_id: null, high_user_id: null },
      ])
      const { data: members } = await person.rest
        .from('conversation_members')
        .select('user_id')
        .eq('conversation_id', id)
      expect(members?.map(({ user_id }) => user_id).sort()).toEqual(
        [ada, ben, cleo].map((one) => Number(one.id)).sort(),
      )
    }
    expect((await dora.rest.from('conversations').select()).data).toEqual([])
    const told = (await outbox.events(`user:${founder.organizationId}`)).filter(
      ({ type }) => type === 'conversation.joined',
    )
    expect(
      told.filter(({ data }) => (data as { conversation_id: number }).conversation_id === id),
    ).toHaveLength(3)
  })

  it('makes another group each time, with a title or without', async () => {
    const ids = await Promise.all([1, 2].map(() => openGroup(ada, [ben, cleo])))
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(await rowOf(ada, id)).toMatchObject({ type: 'GROUP', title: null })
  })

  it('refuses in words whom it cannot find, here or elsewhere, and nobody at all', async () => {
    const nobody = { status: 404, code: 'PT404', message: 'there is nobody of that id in this organization' }
    for (const ids of [[999_999_999], [ben.id, stranger.id], [ben.id, null], '{999999999}'])
      expect(await refusal(ids), JSON.stringify(ids)).toEqual(nobody)
    const alone = { status: 400, code: '22023', message: 'A group needs somebody besides yourself' }
    for (const ids of [[], [ada.id], null]) expect(await refusal(ids)).toEqual(alone)
    expect(await refusal(Array.from({ length: 51 }, (_, n) => n + 1_000_000))).toEqual({
      ...{ status: 400, code: '22023' },
      message: 'A group has at most 50 people besides yourself',
    })
    for (const ids of [['x'], 'x', [1.5], [[1], [2, 3]], { a: 1 }])
      expect(await refusal(ids), JSON.stringify(ids)).toMatchObject({ status: 400 })
    expect(await ada.rest.rpc('open_conversation', {})).toMatchObject({ error: { code: 'PGRST202' } })
    expect(await ada.rest.rpc('open_conversation', {}, { get: true })).toMatchObject({ status: 404 })
  })

  it.each([
    ['nothing', ' '],
    ['too much', 'x'.repeat(101)],
    ['a line break', 'a\nb'],
    ['an invisible character', 'come\u200b'],
    ['a mark of direction', 'a\u202eb'],
  ])('takes no title of %s', async (_what, p_title) => {
    const refused = await refusal([ben.id], { p_title })
    expect(refused).toMatchObject({ status: 400, code: '22023' })
    expect(refused.message).toContain('a title')
  })

  it('is for members: whoever was removed opens none', async () => {
    const eve = await chatterOf(office, await newMember(office, founder, 'member'))
    await founder.browser.call('removeMember', { id: eve.id })
    const { data, status } = await eve.rest.rpc('open_conversation', { p_user_ids: [ben.id] })
    expect([401, 403]).toContain(status)
    expect(data).toBeNull()
    await expect(rowsAs(eve, `select * from open_conversation('{${ben.id}}')`)).rejects.toMatchObject({
      code: '42501',
    })
    expect(await refusal([ben.id, eve.id])).toMatchObject({ status: 404, code: 'PT404' })
  })
})

describe('a group', () => {
  it('carries messages to every member, with what is unread', async () => {
    const group = await openGroup(ada, [ben, cleo], 'Launch')
    const { data: first } = await say(ada, group, 'hello')
    await say(ben, group, 'hi')
    expect(
      (await cleo.rest.rpc('get_conversation_messages', { p_conversation_id: group })).data,
    ).toHaveLength(2)
    expect(await rowOf(cleo, group)).toMatchObject({ last_message_content: 'hi', unread_count: 2 })
    await cleo.rest.rpc('update_read_cursor', {
      p_conversation_id: group,
      p_last_read_message_id: first?.message_id,
    })
    expect(await rowOf(cleo, group)).toMatchObject({ unread_count: 1 })
    const heard = (await outbox.events(`user:${founder.organizationId}`)).filter(
      ({ data }) => (data as { message_id?: number }).message_id === first?.message_id,
    )
    expect(heard.filter(({ type }) => type === 'message.created')).toHaveLength(3)
    expect(heard.filter(({ type }) => type === 'new_message')).toHaveLength(2)
  })

  it('is for its members alone, also of the same organization', async () => {
    const group = await openGroup(ada, [ben])
    await say(ada, group, 'secret')
    for (const other of [dora, await chatterOf(office, stranger)]) {
      expect((await other.rest.rpc('get_conversation_messages', { p_conversation_id: group })).data).toEqual(
        [],
      )
      expect(await say(other, group, 'me too')).toMatchObject({ status: 403, error: { code: '42501' } })
      expect(await rowOf(other, group)).toBeUndefined()
    }
  })

  it('ends for whoever is removed at once, and goes on for the others', async () => {
    const eve = await chatterOf(office, await newMember(office, founder, 'member'))
    const group = await openGroup(ada, [eve, ben])
    await say(ada, group, 'with you')
    await founder.browser.call('removeMember', { id: eve.id })
    // by the database at once, and by name as soon as the node has heard of it
    expect([[], null]).toContainEqual((await eve.rest.from('messages').select()).data)
    expect(await rowsAs(eve, `select from messages where conversation_id = ${group}`)).toEqual([])
    const refused = `insert into messages (conversation_id, content) values (${group}, 'still here')`
    await expect(rowsAs(eve, refused)).rejects.toMatchObject({ code: '42501' })
    expect((await say(ada, group, 'without you')).status).toBe(201)
    const members = (await rowOf(ben, group))?.members
    expect(members?.map(({ user_id, is_active }) => [user_id, is_active])).toEqual(
      [ada, eve].map(({ id }) => [Number(id), id !== eve.id]).sort((a, b) => Number(a[0]) - Number(b[0])),
    )
  })

  it('is no direct message: the lists of those do not show it', async () => {
    const group = await openGroup(ada, [cleo])
    const dm = await openDm(ada, cleo)
    const dms = (await ada.rest.rpc('get_recent_dms')).data as Row[]
    expect(dms.map(({ conversation_id }) => conversation_id)).not.toContain(group)
    expect((await ada.rest.rpc('get_recent_dm_presence')).data).toHaveLength(dms.length)
    expect(await openDm(cleo, ada)).toBe(dm)
  })
})

describe('get_conversations', () => {
  it('pages over all types, a DM with its peer, a group with the others', async () => {
    const [dm, group] = [await openDm(dora, ben), await openGroup(dora, [ben, cleo], 'Plans')]
    await say(ben, dm, 'first')
    await say(ben, group, 'second')
    const first = (await dora.rest.rpc('get_conversations', { p_limit: 1 })).data as Row[]
    expect(first).toMatchObject([
      { conversation_id: group, type: 'GROUP', title: 'Plans', peer_user_id: null, unread_count: 1 },
    ])
    expect(first[0]?.members.map(({ user_id }) => user_id).sort()).toEqual(
      [Number(ben.id), Number(cleo.id)].sort(),
    )
    const p_cursor = first[0]?.updated_at
    const second = (await dora.rest.rpc('get_conversations', { p_limit: 1, p_cursor })).data as Row[]
    expect(second).toMatchObject([
      { conversation_id: dm, type: 'DM', title: null, peer_user_id: Number(ben.id), unread_count: 1 },
    ])
    const [asDm] = (await dora.rest.rpc('get_recent_dms')).data as Row[]
    expect(second[0]).toMatchObject(asDm as Row)
    const one = await dora.rest
      .rpc('get_conversations', { p_limit: 1 }, { get: true })
      .select('title')
      .single()
    expect(one.data).toEqual({ title: 'Plans' })
  })
})

it('a group costs a call more for each person in it', async () => {
  const charged: number[] = []
  const { chat, access } = office.office
  const server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: false })
  const budget = {
    enter: async () => {},
    requirePaid() {},
    charge: (_: unknown, calls: number) => void charged.push(calls),
  }
  await serveChatData(server, { ...chat, ...budget, underWay: access.underWay })
  const open = async (p_user_ids: readonly string[]) => {
    const answer = await server.inject({
      method: 'POST',
      url: '/rest/v1/rpc/open_conversation',
      headers: { authorization: `Bearer ${ada.token}` },
      payload: { p_user_ids },
    })
    return answer.statusCode
  }
  expect(await open([ben.id])).toBe(200)
  expect(await open([ben.id, cleo.id, dora.id])).toBe(200)
  expect(charged).toEqual([1, 3])
})
