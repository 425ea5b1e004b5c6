import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, letTimePass, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

/** Answers are to messages that are there: no message is its own ancestor. */

let office: TestOffice
let ada: Chatter
let conversation: number
let last: number
beforeAll(async () => {
  office = await openTestOffice()
  ;({ ada, conversation } = await conversationOf(office))
  ;[last] = (await sendMany(office, ada, conversation, ['first'])) as [number]
})
afterAll(() => office.close())

const messages = () => ada.rest.from('messages')
const rowsOf = async () => {
  const { data } = await messages().select('message_id, parent_message_id, reply_count').order('message_id')
  return data ?? []
}
const answering = (parent_message_id: number, content = 'x') => ({
  conversation_id: conversation,
  content,
  parent_message_id,
})
/** Ids of what was refused are not given again: the next one is asked for, as an attacker may who guesses it. */
const nextId = async () => {
  const { rows } = await office.database.pool.query(`select last_value + 1 as next from message_ids`)
  return Number(rows[0].next)
}

describe('an answer', () => {
  it('is not to itself, refused as one to a message that is not there', async () => {
    await letTimePass(office, conversation)
    const absent = await messages().insert(answering(1_000_000)).select()
    expect(absent).toMatchObject({
      status: 409,
      error: { code: '23503', message: expect.stringContaining('messages_parent') },
    })
    const refused = await messages()
      .insert(answering(await nextId()))
      .select()
    expect(refused).toEqual(absent)
    expect(await rowsOf()).toEqual([{ message_id: last, parent_message_id: null, reply_count: 0 }])
  })

  it('is not to one that is sent with it and comes later, nor to one that answers it', async () => {
    await letTimePass(office, conversation)
    const next = await nextId()
    const refused = await messages().insert([answering(next + 1), answering(next)])
    expect(refused).toMatchObject({ status: 409, error: { code: '23503' } })
    expect(await rowsOf()).toHaveLength(1)
  })

  it('is not to a message of another conversation', async () => {
    const other = await conversationOf(office)
    const [foreign] = await sendMany(office, other.ada, other.conversation, ['elsewhere'])
    await letTimePass(office, conversation)
    const refused = await messages().insert(answering(foreign as number))
    expect(refused).toMatchObject({ status: 409, error: { code: '23503' } })
  })

  it('is counted from none on, whatever its sender says', async () => {
    await letTimePass(office, conversation)
    const sent = await messages()
      .insert({ ...answering(last), reply_count: 7 })
      .select('message_id, parent_message_id, reply_count')
      .single()
    expect(sent.data).toMatchObject({ parent_message_id: last, reply_count: 0 })
    expect(await rowsOf()).toEqual([
      { message_id: last, parent_message_id: null, reply_count: 1 },
      { message_id: sent.data?.message_id, parent_message_id: last, reply_count: 0 },
    ])
  })
})

describe('the table', () => {
  it('takes no message that is its own ancestor, whoever writes it', async () => {
    const written = office.database.pool.query(
      'update messages set parent_message_id = message_id where message_id = $1',
      [last],
    )
    await expect(written).rejects.toMatchObject({ code: '23514', constraint: 'messages_parent_before' })
  })
})
