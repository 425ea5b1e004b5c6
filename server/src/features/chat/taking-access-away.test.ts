import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf } from '../../../tests/chapters/chat.ts'
import { becomeRole, claimsIn } from '../../../tests/chapters/chat-role.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newMember, type Person } from '../../../tests/people.ts'

/** Taking a member's access away waits for nothing that they have under way in chat, and it comes to nothing then. */

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

type Scene = {
  ada: Chatter
  ben: Chatter
  conversation: number
  founder: Person & { organizationId: string }
}

/** What a member has under way, for as long as they please. */
const UNDER_WAY: Record<string, (scene: Scene) => [sql: string, values: unknown[]]> = {
  'a message': ({ conversation }) => [
    'insert into messages (conversation_id, content) values ($1, $2)',
    [conversation, 'slow'],
  ],
  'a message sent again': ({ conversation }) => [
    'insert into messages (conversation_id, content, client_message_id) values ($1, $2, gen_random_uuid())',
    [conversation, 'slow'],
  ],
  'a new group': ({ ada }) => ['select open_conversation(array[$1::bigint], $2)', [ada.id, 'slow']],
  'a read cursor': ({ conversation }) => [
    'select update_read_cursor($1, (select max(message_id) from messages))',
    [conversation],
  ],
  'a heartbeat': () => [`select update_presence('online')`, []],
}

const TAKEN: Record<string, (scene: Scene) => Promise<unknown>> = {
  removal: ({ ada, ben }) => ada.browser.call('removeMember', { id: ben.id }),
  demotion: ({ ada, ben }) => ada.browser.call('updateMember', { id: ben.id, role: 'member' }),
}

/** Has something under way as a member, on a connection of its own, while `work` is done. */
async function underWay<T>(
  from: Chatter,
  [sql, values]: [string, unknown[]],
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await office.database.pool.connect()
  try {
    await client.query('begin')
    await becomeRole(client, claimsIn(from.token))
    await client.query(sql, values)
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('is not waited for', () => {
  const cases = Object.keys(UNDER_WAY).flatMap((what) => Object.keys(TAKEN).map((taken) => [what, taken]))
  it.each(cases)('%s, by %s', async (what, taken) => {
    const scene = await conversationOf(office)
    const { ada, ben, conversation } = scene
    await ada.browser.call('updateMember', { id: ben.id, role: 'moderator' })
    await ada.rest.from('messages').insert({ conversation_id: conversation, content: 'first' })
    await underWay(ben, (UNDER_WAY[what as string] as (typeof UNDER_WAY)[string])(scene), async () => {
      await (TAKEN[taken as string] as (typeof TAKEN)[string])(scene)
    })
  })
})

describe('the worst that may be sent', () => {
  it('keeps no removal waiting, and is refused from then on', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const marks = `a${'\u0301'.repeat(15)}${'\u0327'.repeat(15)}`
    const contents = [`a${'\u0301\u0327'.repeat(20_000)}`, marks.repeat(500), '漢'.repeat(16_000)]
    const sending = Array.from({ length: 30 }, (_, n) =>
      ben.rest.from('messages').insert({ conversation_id: conversation, content: contents[n % 3] }),
    )
    const sent = Promise.all(sending)
    await ada.browser.call('removeMember', { id: ben.id })
    for (const { status } of await sent) expect([400, 401, 403, 429]).toContain(status)
    expect(
      await ben.rest.from('messages').insert({ conversation_id: conversation, content: 'x' }),
    ).toMatchObject({
      status: 401,
    })
  })
})

describe('a message under way', () => {
  const message = ({ conversation }: Scene): [string, unknown[]] => [
    'insert into messages (conversation_id, content) values ($1, $2)',
    [conversation, 'slow'],
  ]
  const countOf = async (conversation: number) => {
    const { rows } = await office.database.pool.query(
      'select count(*)::int as count from messages where conversation_id = $1',
      [conversation],
    )
    return rows[0].count
  }

  it('is not sent once its sender was removed', async () => {
    const scene = await conversationOf(office)
    const { ada, ben, conversation } = scene
    const sent = underWay(ben, message(scene), async (client) => {
      await ada.browser.call('removeMember', { id: ben.id })
      await client.query('commit')
    })
    await expect(sent).rejects.toMatchObject({ code: '42501' })
    expect(await countOf(conversation)).toBe(0)
  })

  it('is not sent once its organization was deleted', async () => {
    const scene = await conversationOf(office)
    const { ada, founder, conversation } = scene
    const sent = underWay(ada, message(scene), async (client) => {
      await ada.browser.call('deleteOrganization', { organizationId: founder.organizationId })
      await client.query('commit')
    })
    await expect(sent).rejects.toMatchObject({ code: '42501' })
    expect(await countOf(conversation)).toBe(0)
  })

  it('keeps others of its conversation waiting for a moment only, where the membership stays locked', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const blocker = await office.database.pool.connect()
    try {
      await blocker.query('begin')
      await blocker.query('select from memberships where user_id = $1 for update', [ben.id])
      const content = { conversation_id: conversation, content: 'x' }
      expect(await ben.rest.from('messages').insert(content)).toMatchObject({
        status: 503,
        error: { code: 'PGRST001' },
      })
      expect((await ada.rest.from('messages').insert(content)).status).toBe(201)
    } finally {
      await blocker.query('rollback')
      blocker.release()
    }
    expect(await countOf(conversation)).toBe(1)
  })

  it('is sent where its sender stays, whatever becomes of others', async () => {
    const scene = await conversationOf(office)
    const { ada, ben, conversation, founder } = scene
    const carl = await chatterOf(office, await newMember(office, founder, 'member'))
    await underWay(ben, message(scene), async (client) => {
      await ada.browser.call('removeMember', { id: carl.id })
      await client.query('commit')
    })
    expect(await countOf(conversation)).toBe(1)
  })

  it('is sent or refused, never both or neither, however close the removal comes', async () => {
    for (let round = 0; round < 10; round++) {
      const { ada, ben, conversation } = await conversationOf(office)
      const [sent] = await Promise.all([
        ben.rest.from('messages').insert({ conversation_id: conversation, content: 'last words' }),
        ada.browser.call('removeMember', { id: ben.id }),
      ])
      expect([201, 401, 403]).toContain(sent.status)
      expect(await countOf(conversation)).toBe(sent.status === 201 ? 1 : 0)
    }
  })
})
