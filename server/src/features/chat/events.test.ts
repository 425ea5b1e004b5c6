import { randomUUID } from 'node:crypto'
import { chatEvents, realtimeEvents } from '@atrium/contract'
import { userChannel } from '@atrium/contract/events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, openDm, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { requireDeclared } from '../../../tests/run/declared-events.ts'
import { until } from '../../../tests/until.ts'
import { appendEvent } from '../../platform/background/outbox.ts'
import { transaction } from '../../platform/database/transaction.ts'

interface OutboxRow {
  method: string
  payload: {
    channel?: string
    channels?: string[]
    idempotency_key: string
    data: { id: string; type: string; time: string; data: Record<string, unknown> }
  }
  partition: number
}

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
  // relays take the rows away: a copy stays
  await office.database.pool.query(`
    create table kept_outbox (like centrifugo_outbox);
    create function keep_outbox() returns trigger language plpgsql as $$
    begin
      insert into kept_outbox select new.*;
      return null;
    end $$;
    create trigger outbox_kept after insert on centrifugo_outbox for each row execute function keep_outbox();`)
})
afterAll(() => office.close())

/** Everything appended about a conversation, oldest first, and as the contract declares it. */
async function eventsOf(conversation: number): Promise<OutboxRow[]> {
  const { rows } = await office.database.pool.query<OutboxRow>(
    `select method, payload, partition from kept_outbox
     where payload -> 'data' -> 'data' ->> 'conversation_id' = $1 order by id`,
    [String(conversation)],
  )
  for (const { payload } of rows)
    requireDeclared({
      channels: payload.channels ?? [String(payload.channel)],
      type: payload.data.type,
      data: payload.data.data,
    })
  return rows
}

async function channelOf(person: Chatter, organizationId: string): Promise<string> {
  const { rows } = await office.database.pool.query(
    'select identity_user_id as id from users where id = $1',
    [person.id],
  )
  return userChannel(organizationId, rows[0].id)
}

/** Ends the connection that waits to append to the outbox on behalf of a message. */
async function cutWhoeverWaits(): Promise<void> {
  await until(async () => {
    const { rowCount } = await office.database.pool.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into messages%'`,
    )
    return rowCount === 1
  })
}

describe('a message', () => {
  it('is told to every member but the sender as new_message, and to all as message.created', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    const content = '🦊'.repeat(300)
    const { data: row } = await ada.rest
      .from('messages')
      .insert({ conversation_id: conversation, content })
      .select()
      .single()
    const [adas, bens] = [
      await channelOf(ada, founder.organizationId),
      await channelOf(ben, founder.organizationId),
    ]
    const [first, second, ...rest] = await eventsOf(conversation)
    expect(rest).toEqual([])
    expect(first).toMatchObject({ method: 'publish', payload: { channel: bens } })
    expect(first?.payload.data).toEqual({
      id: first?.payload.idempotency_key,
      type: 'new_message',
      time: new Date(row.created_at).toISOString(),
      data: {
        message_id: row.message_id,
        conversation_id: conversation,
        sender_id: Number(ada.id),
        content: '🦊'.repeat(200),
        created_at: row.created_at,
      },
    })
    expect(second?.method).toBe('broadcast')
    expect(second?.payload.channels?.sort()).toEqual([adas, bens].sort())
    expect(second?.payload.data).toEqual({
      id: second?.payload.idempotency_key,
      type: 'message.created',
      time: new Date(row.created_at).toISOString(),
      data: row,
    })
    expect(first?.payload.idempotency_key).not.toBe(second?.payload.idempotency_key)
    expect(first?.partition).toBe(second?.partition)
  })

  it('that is not sent is not told, nor twice what is sent twice', async () => {
    const { ada, conversation } = await conversationOf(office)
    const row = {
      conversation_id: conversation,
      content: 'x',
      client_message_id: '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
    }
    await Promise.all([1, 2, 3].map(() => ada.rest.from('messages').insert(row)))
    await ada.rest.from('messages').insert({ ...row, client_message_id: null, content: '' })
    // the whole batch fails
    await ada.rest.from('messages').insert(Array(6).fill({ conversation_id: conversation, content: 'y' }))
    expect((await eventsOf(conversation)).map(({ payload }) => payload.data.type)).toEqual([
      'new_message',
      'message.created',
    ])
  })

  it('and its events are one: what cannot be told is not sent', async () => {
    const { ada, conversation } = await conversationOf(office)
    await office.database.pool.query(
      'alter table centrifugo_outbox add constraint stuck check (false) not valid',
    )
    const refused = await ada.rest.from('messages').insert({ conversation_id: conversation, content: 'x' })
    await office.database.pool.query('alter table centrifugo_outbox drop constraint stuck')
    expect(refused.status).toBe(400)
    expect((await ada.rest.from('messages').select()).data).toEqual([])
    expect(await eventsOf(conversation)).toEqual([])
    expect(
      (await ada.rest.from('messages').insert({ conversation_id: conversation, content: 'x' })).status,
    ).toBe(201)
  })

  it('that is cut off before its events is sent again, once; cut off again it is as if it had never been sent', async () => {
    const { ada, conversation } = await conversationOf(office)
    const row = { conversation_id: conversation, content: 'x', client_message_id: randomUUID() }
    const sendWhileCut = async (times: number) => {
      const blocker = await office.database.pool.connect()
      await blocker.query('begin')
      await blocker.query('lock table centrifugo_outbox in share row exclusive mode')
      const sent = Promise.resolve(ada.rest.from('messages').insert(row))
      for (let n = 0; n < times; n += 1) await cutWhoeverWaits()
      await blocker.query('rollback')
      blocker.release()
      return await sent
    }
    expect((await sendWhileCut(2)).status).toBe(503)
    expect((await ada.rest.from('messages').select()).data).toEqual([])
    expect(await eventsOf(conversation)).toEqual([])
    expect((await sendWhileCut(1)).status).toBe(201)
    expect((await ada.rest.from('messages').select()).data).toHaveLength(1)
    expect(await eventsOf(conversation)).toHaveLength(2)
  })

  it('to somebody who was removed is refused, and told to nobody', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    await founder.browser.call('removeMember', { id: ben.id })
    const sent = await ada.rest.from('messages').insert({ conversation_id: conversation, content: 'gone?' })
    expect(sent).toMatchObject({ status: 403, error: { code: 'PT403' } })
    expect(await eventsOf(conversation)).toEqual([])
  })

  it('goes with the messages of its conversation, in their order', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    await Promise.all(
      [ada, ben].flatMap((person) =>
        [1, 2, 3, 4].map((n) =>
          person.rest.from('messages').insert({ conversation_id: conversation, content: `${n}` }),
        ),
      ),
    )
    const created = (await eventsOf(conversation)).filter(
      ({ payload }) => payload.data.type === 'message.created',
    )
    const ids = created.map(({ payload }) => Number(payload.data.data.message_id))
    expect(ids).toHaveLength(8)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  })
})

describe('conversation.read', () => {
  it('goes to the reader alone, once for each step forward', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    const ids = await sendMany(office, ada, conversation, ['one', 'two'])
    for (const id of [ids[0], ids[0], ids[1], ids[0], 987_654_321])
      await ben.rest.rpc('update_read_cursor', {
        p_conversation_id: conversation,
        p_last_read_message_id: id,
      })
    const read = (await eventsOf(conversation)).filter(
      ({ payload }) => payload.data.type === 'conversation.read',
    )
    const channel = await channelOf(ben, founder.organizationId)
    expect(read.map(({ payload }) => payload.channel)).toEqual([channel, channel])
    expect(read.map(({ payload }) => payload.data.data)).toEqual(
      ids.map((id) => ({ conversation_id: conversation, last_read_message_id: id })),
    )
  })
})

describe('conversation.joined', () => {
  it('is not told of a conversation of two, of which the first message tells', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    await openDm(ben, ada)
    expect(await eventsOf(conversation)).toEqual([])
  })
})

describe('append_event', () => {
  it('is called with the names of declared events alone', async () => {
    const { rows } = await office.database.pool.query<{ name: string; source: string }>(
      `select proname as name, prosrc as source from pg_proc
       where prosrc like '%append_event(%' and pronamespace = 'public'::regnamespace`,
    )
    const names = rows.flatMap(({ name, source }) => {
      const calls = source.split('append_event(').slice(1)
      // the first argument is a variable or array[…]; the name is the literal after it
      return calls.map(
        (call) => /^(?:\w+|array\[[^\]]*\])\s*,\s*'([^']+)'/.exec(call)?.[1] ?? `a variable in ${name}`,
      )
    })
    expect(names.filter((name) => !Object.hasOwn(realtimeEvents, name))).toEqual([])
    // typing is kept nowhere, and so not in the outbox
    const kept = Object.keys(chatEvents).filter((name) => name !== 'conversation.typing')
    expect(names).toEqual(expect.arrayContaining(kept))
  })

  it('appends exactly what appendEvent does', async () => {
    const time = new Date('2026-01-02T03:04:05.006Z')
    const type = 'conversation.read'
    const data = { conversation_id: 1, last_read_message_id: 2 }
    for (const orderingKey of ['conversation:1', 'conversation:2', 'user_ABC', 'ü', '', 'x'.repeat(100)]) {
      for (const users of [['b'], ['b', 'c']]) {
        await transaction(office.database.db, (tx) =>
          appendEvent(tx, 'a', { id: 'ours', type, time, data, to: { scope: 'user', users }, orderingKey }),
        )
        await office.database.pool.query('select append_event($1, $2, $3, $4, $5)', [
          users.map((user) => userChannel('a', user)),
          type,
          time,
          data,
          orderingKey,
        ])
        const { rows } = await office.database.pool.query<OutboxRow>(
          `select method, payload, partition from kept_outbox order by id desc limit 2`,
        )
        const [theirs, ours] = rows.map((row) => {
          const text = JSON.stringify(row)
          return JSON.parse(text.replaceAll(row.payload.idempotency_key, 'id'))
        })
        expect(theirs).toEqual(ours)
      }
    }
  })

  it('appends nothing for nobody', async () => {
    const count = async () =>
      (await office.database.pool.query('select count(*) from kept_outbox')).rows[0].count
    const before = await count()
    for (const nobody of [[], null])
      await office.database.pool.query(`select append_event($1, 'a.b', now(), '{}', 'x')`, [nobody])
    expect(await count()).toBe(before)
  })
})
