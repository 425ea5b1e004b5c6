import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conversationOf, letTimePass, openGroup, sendMany } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'

let scene: ChatScene
let ids: number[]
beforeAll(async () => {
  scene = await openChatScene()
  ids = await sendMany(scene.office, scene.ada, scene.conversation, ['1', '2', '3', '4', '5', '6', '7'])
})
afterAll(() => scene.close())
beforeEach(() => letTimePass(scene.office, scene.conversation))

async function page(place: Record<string, number>) {
  const input = { conversationId: scene.conversation, ...place }
  const { messages, before, after } = await scene.ben.browser.call('listMessages', input)
  return { said: messages.map(({ content }) => content).join(''), before, after }
}

describe('listMessages', () => {
  it('pages by the newest, before, after and around', async () => {
    const [id1, , id3, id4, , , id7] = ids as [number, number, number, number, number, number, number]
    expect(await page({})).toEqual({ said: '1234567', before: null, after: null })
    expect(await page({ limit: 3 })).toEqual({ said: '567', before: ids[4], after: null })
    expect(await page({ limit: 3, before: ids[4] as number })).toEqual({
      said: '234',
      before: ids[1],
      after: id4,
    })
    expect(await page({ limit: 3, before: ids[1] as number })).toMatchObject({ said: '1', before: null })
    expect(await page({ limit: 3, after: 0 })).toMatchObject({ said: '123', after: id3 })
    expect(await page({ limit: 3, after: id4 })).toMatchObject({ said: '567', after: null })
    expect(await page({ limit: 3, after: id7 })).toEqual({ said: '', before: null, after: null })
    expect(await page({ limit: 4, around: id4 })).toMatchObject({ said: '3456', before: id3, after: ids[5] })
    expect(await page({ limit: 4, around: id1 })).toMatchObject({ said: '123', before: null })
    // what is on a side is told, though nothing of it is shown
    expect(await page({ limit: 1, around: id4 })).toEqual({ said: '4', before: id4, after: id4 })
    expect(await page({ limit: 1, around: id7 })).toEqual({ said: '7', before: id7, after: null })
    expect(await page({ limit: 3, after: 0 })).toMatchObject({ before: null })
    expect(await page({ limit: 3, after: id1 })).toMatchObject({ before: ids[1] })
    expect(await page({ limit: 7, before: id7 + 1 })).toMatchObject({ said: '1234567', after: null })
  })

  it('shows one thread where it is asked for', async () => {
    const root = ids[0] as number
    await scene.ben.browser.call('sendMessage', {
      conversationId: scene.conversation,
      content: 'reply',
      parentMessageId: root,
    })
    expect((await page({ parentMessageId: root })).said).toBe('reply')
    await scene.office.database.pool.query(`delete from messages where content = 'reply'`)
  })

  it.each([
    ['2020-01-01T00:00:00+23:59', 200],
    ['2020-01-01T00:00:00.123456789-16:00', 200],
    ['0001-01-01T00:00:00Z', 200],
    ['0000-01-01T00:00:00Z', 400],
    ['0001-01-01T00:00:00+05:00', 400],
  ])('takes a moment that the database knows: %s', async (from, status) => {
    const { browser } = scene.ben
    const asked = { conversationId: scene.conversation, from, limit: 1 }
    const answer = await browser.request('listMessages', asked)
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.body).toMatchObject({ before: null, after: ids[0] })
    expect(await browser.request('searchMessages', { query: '1', from, to: from })).toMatchObject({ status })
    const edit = { messageId: ids[0] as number, content: '1', updatedAt: from }
    const refused = status === 200 ? 409 : 400
    expect(await scene.ada.browser.request('editMessage', edit)).toMatchObject({ status: refused })
  })

  it('goes to a moment: the first message of it or after it, else the last one', async () => {
    const { ada, ben, office } = scene
    const group = await openGroup(ada, [ben], 'Long')
    const days = 40
    const connection = await office.database.pool.connect()
    await connection.query(`begin; set local atrium.importing = 'on'`)
    await connection.query(
      `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited, is_deleted,
          created_at, updated_at)
        select nextval('message_ids'), c.conversation_id, c.org_id, $2, 'day ' || n, 0, false, false, d.at, d.at
        from conversations c, generate_series(1, $3::int) n, lateral (select '2026-01-01Z'::timestamptz + n * interval '1 day' as at) d
        where c.conversation_id = $1`,
      [group, ada.id, days],
    )
    await connection.query('commit')
    connection.release()
    const at = async (from: string) =>
      (await ben.browser.call('listMessages', { conversationId: group, from, limit: 1 })).messages[0]?.content
    expect(await at('2020-01-01T00:00:00Z')).toBe('day 1')
    expect(await at('2026-01-11T00:00:00Z')).toBe('day 10')
    expect(await at('2026-01-11T00:00:01Z')).toBe('day 11')
    expect(await at('2026-01-31T12:00:00+02:00')).toBe('day 31')
    expect(await at('2030-01-01T00:00:00Z')).toBe('day 40')
    const empty = await openGroup(ada, [ben], 'Empty')
    const asked = { conversationId: empty, from: '2026-01-11T00:00:00Z' }
    expect((await ben.browser.call('listMessages', asked)).messages).toEqual([])
    const both = { conversationId: group, from: '2026-01-11T00:00:00Z', around: 5 }
    expect((await ben.browser.request('listMessages', both)).status).toBe(400)
    const { ada: stranger } = await conversationOf(office)
    const foreign = { conversationId: group, from: '2026-01-11T00:00:00Z' }
    expect((await stranger.browser.request('listMessages', foreign)).status).toBe(404)
  })

  it('takes one place alone, and shows nothing of what one is no member of', async () => {
    const { ada, ben, conversation } = scene
    const both = { conversationId: conversation, before: 5, after: 5 }
    expect((await ada.browser.request('listMessages', both)).status).toBe(400)
    const foreign = await conversationOf(scene.office)
    for (const [person, conversationId] of [
      [foreign.ada, conversation],
      [ben, foreign.conversation],
      [ben, 987_654_321],
    ] as const)
      expect(await person.browser.request('listMessages', { conversationId })).toMatchObject({
        status: 404,
        body: { error: 'conversation-not-found' },
      })
  })
})
