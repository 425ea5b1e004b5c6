import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

/** A few connections answer the pages of all: the claims in force change with each of them. */

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const AT_ONCE = 20
const ROUNDS = 12

async function said(from: Chatter, conversation: number): Promise<string[]> {
  const { data, error } = await from.rest.rpc('get_conversation_messages', {
    p_conversation_id: conversation,
  })
  if (error) throw error
  return data.map((row: { content: string }) => row.content)
}

async function peers(from: Chatter): Promise<number[]> {
  const { data, error } = await from.rest.rpc('get_recent_dms')
  if (error) throw error
  return data.map((row: { peer_user_id: number }) => row.peer_user_id)
}

const codeOf = async (from: Chatter) => {
  const args = { p_conversation_id: 'nothing' }
  return (await from.rest.rpc('get_conversation_messages', args)).error?.code
}

describe('pages that many read at once', () => {
  it('hold what each may see, whoever asks before and after on the same connection', async () => {
    const talks = await Promise.all([1, 2, 3].map(() => conversationOf(office)))
    for (const { ada, conversation } of talks) {
      await sendMany(office, ada, conversation, [`of ${conversation}`])
    }
    const ask = async (n: number) => {
      const { ada, ben, conversation } = talks[n % 3] as (typeof talks)[number]
      const foreign = talks[(n + 1) % 3] as (typeof talks)[number]
      expect(await said(n % 2 ? ada : ben, conversation)).toEqual([`of ${conversation}`])
      expect(await said(ada, foreign.conversation)).toEqual([])
      expect(await codeOf(ben)).toBe('22P02')
      expect(await peers(ben)).toEqual([Number(ada.id)])
    }
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(n + round)))
    }
  })

  it('are all answered where more ask than there is room for', async () => {
    const { ada, conversation } = await conversationOf(office)
    await sendMany(office, ada, conversation, ['once'])
    const pages = await Promise.all(Array.from({ length: 40 }, () => said(ada, conversation)))
    expect(pages.flat()).toEqual(Array.from({ length: 40 }, () => 'once'))
  })

  it('hold nothing from the moment somebody is removed', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    await sendMany(office, ada, conversation, ['before'])
    expect(await said(ben, conversation)).toEqual(['before'])
    await founder.browser.call('removeMember', { id: ben.id })
    // by the database at once, and by name as soon as the node has heard of it
    const saidTo = (from: Chatter) =>
      from.rest.rpc('get_conversation_messages', { p_conversation_id: conversation })
    const after = Array.from({ length: AT_ONCE }, () => Promise.all([saidTo(ben), said(ada, conversation)]))
    for (const [bens, adas] of await Promise.all(after)) {
      expect([[], null]).toContainEqual(bens.data)
      if (bens.error) expect(bens.status).toBe(401)
      expect(adas).toEqual(['before'])
    }
  })
})

it('moments are shown in UTC, whatever the database has', async () => {
  const { rows } = await office.database.pool.query('select current_database() as name')
  const inDatabase = (setting: string) =>
    office.database.pool.query(`alter database "${rows[0].name}" ${setting}`)
  await inDatabase(`set timezone = 'Asia/Tokyo'`)
  const beside = await openTestOffice({ beside: office })
  try {
    const { ada, conversation } = await conversationOf(beside)
    await sendMany(beside, ada, conversation, ['when'])
    const page = await ada.rest.rpc('get_conversation_messages', { p_conversation_id: conversation })
    expect(page.data[0].created_at).toMatch(/\+00:00$/)
  } finally {
    await beside.close()
    await inDatabase('reset timezone')
  }
})
