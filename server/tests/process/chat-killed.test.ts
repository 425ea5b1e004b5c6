import { randomUUID } from 'node:crypto'
import { PostgrestClient } from '@supabase/postgrest-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { conversationOf } from '../chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { type RecordedOutbox, recordOutbox } from '../recorded-outbox.ts'
import { until } from '../until.ts'
import { openProcessHarness } from './office-process.ts'

const SETTINGS = { CHAT_TOKEN_SECRET: 'the secret that both nodes sign tokens of chat with' }
const harness = openProcessHarness()
let office: TestOffice
let outbox: RecordedOutbox
beforeAll(async () => {
  office = await openTestOffice({ settings: SETTINGS })
  outbox = await recordOutbox(office.database)
})
afterAll(async () => {
  await harness.clear()
  await office.close()
})

it('a node that is killed between a message and its events leaves both or neither, and a retry makes no second one', async () => {
  const { ada, conversation } = await conversationOf(office)
  const doomed = await harness.serve({
    settings: { ...SETTINGS, DATABASE_URL: office.database.connectionString },
  })
  const there = new PostgrestClient(`${doomed.url}/rest/v1`, {
    headers: { authorization: `Bearer ${ada.token}` },
    retry: false,
  })
  const rows = ['one', 'two', 'three'].map((content) => ({
    conversation_id: conversation,
    content,
    client_message_id: randomUUID(),
  }))
  // what is written stays before the events of it for as long as no transaction may append any
  const blocker = await office.database.pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table centrifugo_outbox in share row exclusive mode')
  const sent = Promise.all(rows.map((row) => there.from('messages').insert(row)))
  await until(async () => {
    const { rows: waiting } = await office.database.pool.query(
      `select from pg_locks where not granted and relation = 'centrifugo_outbox'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
    )
    return waiting.length > 0
  })
  doomed.kill('SIGKILL')
  await doomed.ended
  for (const { error } of await sent) expect(error).not.toBeNull()
  await blocker.query('rollback')
  blocker.release()

  const retried = await Promise.all(
    rows.map((row) => ada.rest.from('messages').insert(row).select('message_id,content').single()),
  )
  expect(retried.map(({ data }) => data?.content)).toEqual(['one', 'two', 'three'])
  const { data: all } = await ada.rest.from('messages').select('message_id').order('message_id')
  const ids = retried.map(({ data }) => data?.message_id as number).sort((one, other) => one - other)
  expect(all?.map(({ message_id }) => message_id)).toEqual(ids)
  const messages = (await outbox.events('user:')).filter(({ type }) => type === 'new_message')
  expect(
    messages.map(({ data }) => (data as { message_id: number }).message_id).sort((one, other) => one - other),
  ).toEqual(ids)
})
