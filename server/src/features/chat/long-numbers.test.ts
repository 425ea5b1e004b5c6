import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, letTimePass, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

/** Ids are bigint: numbers of bodies keep their digits, as PostgREST keeps them. */

/** The first whole number that JavaScript has not got. */
const LONG = '9007199254740993'

let office: TestOffice
let ada: Chatter
let conversation: number
beforeAll(async () => {
  office = await openTestOffice()
  ;({ ada, conversation } = await conversationOf(office))
  await sendMany(office, ada, conversation, ['short'])
  await office.database.pool.query(`select setval('message_ids', ${LONG}, false)`)
  await letTimePass(office, conversation)
})
afterAll(() => office.close())

const post = async (path: string, body: string) => {
  const answer = await fetch(`${office.baseUrl}/rest/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}

describe('a number above 2^53', () => {
  it('is the one that was meant, in what is sent and in what a function is called with', async () => {
    const question = await post('messages', `{"conversation_id": ${conversation}, "content": "long"}`)
    expect(question).toMatchObject({ status: 201, text: expect.stringContaining(`"message_id":${LONG}`) })
    const answer = await post(
      'messages',
      `[{"conversation_id": ${conversation}, "content": "answer", "parent_message_id": ${LONG}}]`,
    )
    expect(answer).toMatchObject({
      status: 201,
      text: expect.stringContaining(`"parent_message_id":${LONG}`),
    })
    const page = (cursor: string) =>
      post('rpc/get_conversation_messages', `{"p_conversation_id": ${conversation}, "p_cursor": ${cursor}}`)
    const contentsOf = ({ text }: { text: string }) =>
      (JSON.parse(text) as { content: string }[]).map(({ content }) => content)
    expect(contentsOf(await page('9007199254740994'))).toEqual(['long', 'short'])
    expect(contentsOf(await page(LONG))).toEqual(['short'])
    expect(contentsOf(await page('9223372036854775807'))).toEqual(['answer', 'long', 'short'])
  })

  it('is one of a list too', async () => {
    const opened = await post('rpc/open_conversation', `{"p_user_ids": [${LONG}]}`)
    expect(opened).toMatchObject({ status: 404, text: expect.stringContaining('PT404') })
  })

  it('is refused in words where it is none of the type', async () => {
    const cursor = `{"p_conversation_id": ${conversation}, "p_cursor": 9223372036854775808}`
    expect(await post('rpc/get_conversation_messages', cursor)).toMatchObject({
      status: 400,
      text: expect.stringContaining('9223372036854775808'),
    })
  })

  it('leaves JSON that is none refused', async () => {
    expect(await post('messages', `{"conversation_id": ${LONG},}`)).toMatchObject({
      status: 400,
      text: expect.stringContaining('PGRST102'),
    })
  })
})
