import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf, openDm, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

interface Dm {
  conversation_id: number
  peer_user_id: number
  unread_count: number
  updated_at: string
}

async function pageOf<Row>(from: Chatter, name: string, args: object): Promise<Row[]> {
  const { data, error } = await from.rest.rpc(name, args)
  if (error) throw error
  return data
}

async function walkDms(from: Chatter, limit: number): Promise<Dm[]> {
  const all: Dm[] = []
  for (;;) {
    const cursor = all.at(-1)?.updated_at ?? null
    const page = await pageOf<Dm>(from, 'get_recent_dms', { p_limit: limit, p_cursor: cursor })
    if (page.length === 0) return all
    all.push(...page)
  }
}

async function walkMessages(from: Chatter, conversation: number, limit: number, between = async () => {}) {
  const ids: number[] = []
  for (;;) {
    const page = await pageOf<{ message_id: number }>(from, 'get_conversation_messages', {
      p_conversation_id: conversation,
      p_limit: limit,
      p_cursor: ids.at(-1) ?? null,
    })
    if (page.length === 0) return ids
    ids.push(...page.map((row) => row.message_id))
    await between()
  }
}

describe('messages page by page', () => {
  it('neither skip nor repeat while others write', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const before = await sendMany(
      office,
      ada,
      conversation,
      Array.from({ length: 17 }, (_, n) => `${n}`),
    )
    const walked = await walkMessages(ben, conversation, 3, async () => {
      await sendMany(office, ada, conversation, ['meanwhile'])
    })
    expect(walked).toEqual(before.reverse())
  })

  it('are in the order of their commits: who sees a message can page to all before it', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    // one message takes its time after it has its id
    await office.database.pool.query(`
      create function dawdle() returns trigger language plpgsql as $$
      begin
        if new.content = 'slow' then perform pg_sleep(0.6); end if;
        return new;
      end $$;
      create trigger zz_dawdle before insert on messages for each row execute function dawdle();`)
    const send = (from: Chatter, content: string) =>
      from.rest
        .from('messages')
        .insert({ conversation_id: conversation, content })
        .select('message_id')
        .single()
    const slow = send(ada, 'slow').then(({ data }) => data?.message_id)
    await until(async () => {
      const { rowCount } = await office.database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
      return rowCount === 1
    })
    const fast = await send(ben, 'fast')
    const seen = await walkMessages(ben, conversation, 10)
    await office.database.pool.query('drop trigger zz_dawdle on messages')
    expect(seen).toEqual([fast.data?.message_id, await slow])
    expect(fast.data?.message_id).toBeGreaterThan(await slow)
  })

  it('have limits: 50 by default, none where none is asked for, and a cursor of anywhere', async () => {
    const { ada, conversation } = await conversationOf(office)
    await office.database.pool.query('alter table messages disable trigger user')
    await office.database.pool.query(
      `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited, is_deleted, created_at, updated_at)
       select nextval('message_ids'), c.conversation_id, c.org_id, c.low_user_id, n::text, 0, false, false, now() - interval '1 hour', now() - interval '1 hour'
       from conversations c, generate_series(1, 60) n where c.conversation_id = $1`,
      [conversation],
    )
    await office.database.pool.query('alter table messages enable trigger user')
    const ask = async (more: object) => {
      const { data, error } = await ada.rest.rpc('get_conversation_messages', {
        p_conversation_id: conversation,
        ...more,
      })
      if (error) throw error
      return data.length
    }
    expect(await ask({})).toBe(50)
    expect(await ask({ p_limit: null, p_cursor: null })).toBe(50)
    expect(await ask({ p_limit: 60 })).toBe(60)
    expect(await ask({ p_limit: 0 })).toBe(0)
    const other = await conversationOf(office)
    const [elsewhere] = await sendMany(office, other.ada, other.conversation, ['x'])
    expect(await ask({ p_limit: 60, p_cursor: elsewhere })).toBe(60)
    expect(await ask({ p_cursor: 0 })).toBe(0)
    // a client that wants all of them says so with a number
    const rows = () => ada.rest.from('messages').select('message_id')
    for (const all of [1e9, 1e15]) expect((await rows().limit(all)).data).toHaveLength(60)
    expect((await rows().range(50, 1e15)).data).toHaveLength(10)
    expect((await rows().range(1e15, 1e15 + 1)).data).toEqual([])
  })
})

describe('a page of a length that is no length', () => {
  it.each(['get_conversation_messages', 'get_recent_dms', 'get_recent_dm_presence', 'get_conversations'])(
    'is refused in words: %s',
    async (name) => {
      const { ada, conversation } = await conversationOf(office)
      const of = name === 'get_conversation_messages' ? { p_conversation_id: conversation } : {}
      const ask = async (p_limit: number) => {
        const { status, error } = await ada.rest.rpc(name, { ...of, p_limit })
        return { status, error }
      }
      const refused = (code: string, message: string, hint: string | null) => ({
        status: 400,
        error: expect.objectContaining({ code, message, details: null, hint }),
      })
      expect(await ask(-5)).toEqual(refused('2201W', 'p_limit must not be negative', null))
      const next = 'Ask for the next page with p_cursor.'
      for (const long of [1_001, 1e9, 1e15])
        expect(await ask(long)).toEqual(refused('22023', 'p_limit is at most 1000', next))
      expect(await ask(1_000)).toEqual({ status: 200, error: null })
    },
  )
})

describe('recent DMs', () => {
  it('come newest first, page by page, also where many moved at one moment', async () => {
    const founder = await newFounder(office)
    const ada = await chatterOf(office, founder)
    const peers: Person[] = []
    for (let n = 0; n < 7; n++) peers.push(await newMember(office, founder, 'guest'))
    const conversations: number[] = []
    for (const peer of peers) conversations.push(await openDm(ada, peer))
    expect((await walkDms(ada, 2)).map((dm) => dm.conversation_id)).toEqual([...conversations].reverse())
    // the first one moves to the top
    await sendMany(office, ada, conversations[0] as number, ['hello'])
    const [top, ...others] = await walkDms(ada, 3)
    expect(top?.conversation_id).toBe(conversations[0])
    expect(others.map((dm) => dm.conversation_id)).toEqual(conversations.slice(1).reverse())

    await office.database.pool.query(
      `update conversations set updated_at = '2026-01-01' where conversation_id = any($1)`,
      [conversations.slice(2, 6)],
    )
    const walked = (await walkDms(ada, 2)).map((dm) => dm.conversation_id)
    expect(walked).toHaveLength(7)
    expect(new Set(walked)).toEqual(new Set(conversations))
  })

  it('open once, however many open it', async () => {
    const founder = await newFounder(office)
    const ada = await chatterOf(office, founder)
    const ben = await chatterOf(office, await newMember(office, founder, 'guest'))
    const opened = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? openDm(ada, ben) : openDm(ben, ada))),
    )
    expect(new Set(opened).size).toBe(1)
    expect((await ada.rest.from('conversation_members').select()).data).toHaveLength(2)
  })

  it('count what is unread: of others, after the cursor', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const unread = async (person: Chatter) => (await walkDms(person, 20))[0]?.unread_count
    const ids = await sendMany(office, ada, conversation, ['a', 'b', 'c'])
    await sendMany(office, ben, conversation, ['own'])
    expect(await unread(ben)).toBe(3)
    expect(await unread(ada)).toBe(1)
    const read = (id: number | undefined) =>
      ben.rest.rpc('update_read_cursor', { p_conversation_id: conversation, p_last_read_message_id: id })
    await read(ids[1])
    expect(await unread(ben)).toBe(1)
    await read(ids[0])
    expect(await unread(ben)).toBe(1)
    await Promise.all(ids.map(read))
    expect(await unread(ben)).toBe(0)
    expect(await unread(ada)).toBe(1)
  })

  it('carry the picture of the peer', async () => {
    const { ada, ben } = await conversationOf(office)
    await office.database.pool.query(`update users set avatar_key = 'avatars/1/x.png' where id = $1`, [
      ben.id,
    ])
    const { data } = await ada.rest.rpc('get_recent_dms').select('peer_avatar_url').single()
    expect(data?.peer_avatar_url).toBe(`${office.office.config.avatarPublicBaseUrl}/avatars/1/x.png`)
  })
})
