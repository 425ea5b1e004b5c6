import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, openGroup, restOf, sendMany } from '../../../tests/chapters/chat.ts'
import { asRole, claimsIn } from '../../../tests/chapters/chat-role.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

/** What is long costs time in proportion to its bytes, in the database as before it, and is refused before any lock. */

let office: TestOffice
let ada: Chatter
let ben: Chatter
let conversation: number
beforeAll(async () => {
  office = await openTestOffice()
  ;({ ada, ben, conversation } = await conversationOf(office))
})
afterAll(() => office.close())

const KILOBYTE = 1_024
/** Marks in the order that composing has to turn around: its time grows with the square of their number. */
const marks = (bytes: number) => `a${'\u0301'.repeat(bytes / 4)}${'\u0327'.repeat(bytes / 4)}`

/** The longest that one of the statements of chat may take: none of these comes near it. */
const BRIEFLY = `set local statement_timeout = '10s'`

/** What the database alone says to a caller who comes past our own code, and how long its processor was at it. */
const refusalOf = (from: Chatter, statement: string, text: string) =>
  asRole(office, claimsIn(from.token), async (client) => {
    await client.query(BRIEFLY)
    const began = performance.now()
    const code = await client.query(statement, [text]).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
    return { code, ms: performance.now() - began }
  })
const send = () => `insert into messages (conversation_id, content) values (${conversation}, $1)`
const found = () => `select open_conversation(array[${ben.id}], $1)`

describe('a text that is too long to be composed', () => {
  it.each([
    ['a message', send, 80 * KILOBYTE, '23514'],
    ['a message, just within the bound of bytes', send, 47 * KILOBYTE, '23514'],
    ['a title', found, 80 * KILOBYTE, '22023'],
    ['a title, just within the bound of bytes', found, 3 * KILOBYTE, '22023'],
  ])('is refused by the database before it is: %s', async (_name, statement, bytes, code) => {
    expect(await refusalOf(ada, statement(), marks(bytes))).toMatchObject({ code })
  })

  it('is refused before a lock is waited for', async () => {
    const blocker = await office.database.pool.connect()
    try {
      await blocker.query('begin')
      await blocker.query('select from conversations where conversation_id = $1 for update', [conversation])
      await blocker.query('select from memberships where user_id = $1 for update', [ada.id])
      for (const [statement, code] of [
        [send(), '23514'],
        [found(), '22023'],
      ] as const)
        expect(await refusalOf(ada, statement, marks(80 * KILOBYTE))).toMatchObject({ code })
    } finally {
      await blocker.query('rollback')
      blocker.release()
    }
  })

  it.each([
    ['too long', 'x'.repeat(16_001), 'Enter a message of at most 4000 characters'],
    ['too many marks in a row', marks(128), 'Put at most 30 combining marks in a row'],
    ['80 kB of marks', marks(80 * KILOBYTE), 'Enter a message of at most 4000 characters'],
  ])('is refused by the route in words: %s', async (_name, content, message) => {
    const answer = await ada.rest.from('messages').insert({ conversation_id: conversation, content })
    expect(answer).toMatchObject({
      status: 400,
      error: { code: 'PGRST102', message: expect.stringContaining(message) },
    })
  })

  it('is refused by the route as a title, and as what it may be given as besides', async () => {
    for (const p_title of [marks(80 * KILOBYTE), marks(128), 'x'.repeat(1_025)]) {
      const answer = await ada.rest.rpc('open_conversation', { p_user_ids: [Number(ben.id)], p_title })
      expect(answer).toMatchObject({ status: 400, error: { code: 'PGRST102' } })
    }
    const listed = { conversation_id: conversation, content: [marks(80 * KILOBYTE)] }
    expect(await ada.rest.from('messages').insert(listed)).toMatchObject({
      status: 400,
      error: { code: 'PGRST102' },
    })
  })
})

describe('many messages at once', () => {
  const many = (count: number) =>
    Array.from({ length: count }, () => ({
      conversation_id: conversation,
      content: 'x',
      client_message_id: '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
    }))

  it('are at most a hundred', async () => {
    const refused = await ada.rest.from('messages').insert(many(101))
    expect(refused).toMatchObject({ status: 413, error: { code: '54000' } })
    expect((await ada.rest.from('messages').insert(many(100))).status).toBe(201)
  })

  it('count as many calls as they are', async () => {
    const limited = await openTestOffice({ beside: office, settings: { RATE_LIMIT_PER_USER: '30' } })
    try {
      const rest = restOf(limited, ben.token)
      expect((await rest.from('messages').insert(many(30))).status).toBe(201)
      expect((await rest.from('messages').insert(many(1))).status).toBe(429)
    } finally {
      await limited.close()
    }
  })
})

describe('a text within the bounds', () => {
  it('is composed, with as many marks as may stand in a row', async () => {
    const zalgo = `e${'\u0301'.repeat(30)}`
    const sent = await sendMany(office, ada, conversation, ['e\u0301'.repeat(4_000), `${zalgo} ${zalgo}`])
    const { data } = await ben.rest
      .from('messages')
      .select('content')
      .in('message_id', sent)
      .order('message_id')
    expect(data?.map(({ content }) => content)).toEqual([
      'é'.repeat(4_000),
      `${zalgo} ${zalgo}`.normalize('NFC'),
    ])
    const group = await openGroup(ada, [ben], 'Cafe\u0301')
    const { data: named } = await ada.rest
      .from('conversations')
      .select('title')
      .eq('conversation_id', group)
      .single()
    expect(named).toEqual({ title: 'Café' })
  })
})
