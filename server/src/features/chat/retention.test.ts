import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, letTimePass, openDm, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

const DAY = 24 * 60 * 60

describe('messages whose time is over', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  const purge = () => office.office.jobs.runNow('purge-messages')
  const contentsOf = async (chatter: Chatter, conversation: number) => {
    const { data, error } = await chatter.rest
      .from('messages')
      .select('content, parent_message_id')
      .eq('conversation_id', conversation)
      .order('message_id')
    if (error) throw error
    return data
  }

  it('are deleted, and nothing else', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    const others = await conversationOf(office)
    await sendMany(office, others.ada, others.conversation, ['of an organization that keeps everything'])
    await letTimePass(office, others.conversation, 20 * DAY)
    await sendMany(office, ada, conversation, ['old'])
    await letTimePass(office, conversation, 8 * DAY)
    await sendMany(office, ben, conversation, ['new'])
    await purge()
    expect(await contentsOf(ben, conversation)).toHaveLength(2)
    await founder.browser.call('updateOrganizationRetention', { chatDays: 9 })
    await purge()
    expect(await contentsOf(ben, conversation)).toHaveLength(2)
    await founder.browser.call('updateOrganizationRetention', { chatDays: 8 })
    await purge()
    expect(await contentsOf(ben, conversation)).toEqual([{ content: 'new', parent_message_id: null }])
    expect(await contentsOf(others.ada, others.conversation)).toHaveLength(1)
  })

  it('leave answers that stay, and what has been read is not unread again', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    const [question] = await sendMany(office, ada, conversation, ['question'])
    await letTimePass(office, conversation, 5 * DAY)
    const answer = { conversation_id: conversation, content: 'answer', parent_message_id: question }
    expect((await ben.rest.from('messages').insert(answer)).error).toBeNull()
    const unread = async () => {
      const { data } = await ben.rest.rpc('get_recent_dms')
      return data?.[0]?.unread_count
    }
    // as far as the question
    const cursor = { p_conversation_id: conversation, p_last_read_message_id: question }
    expect((await ben.rest.rpc('update_read_cursor', cursor)).error).toBeNull()
    await sendMany(office, ada, conversation, ['more'])
    const before = await unread()
    await letTimePass(office, conversation, DAY)
    await founder.browser.call('updateOrganizationRetention', { chatDays: 5 })
    await purge()
    expect(await contentsOf(ada, conversation)).toEqual([
      { content: 'answer', parent_message_id: null },
      { content: 'more', parent_message_id: null },
    ])
    expect(await unread()).toBe(before)
  })

  it('go with a conversation that stays open: it can be written into', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    await sendMany(office, ada, conversation, ['one', 'two'])
    await letTimePass(office, conversation, 3 * DAY)
    await founder.browser.call('updateOrganizationRetention', { chatDays: 1 })
    await purge()
    expect(await contentsOf(ada, conversation)).toEqual([])
    expect(await openDm(ben, ada)).toBe(conversation)
    await sendMany(office, ben, conversation, ['three'])
    expect(await contentsOf(ada, conversation)).toHaveLength(1)
  })
})

it('where the deployment says how long, it holds for whoever has decided nothing, or longer', async () => {
  const office = await openTestOffice({ settings: { CHAT_RETENTION_DAYS: '10' } })
  try {
    await until(async () => office.office.jobs.isLeader())
    const { ada, conversation, founder } = await conversationOf(office)
    await newFounder(office)
    await office.database.pool.query(
      `insert into organization_retention (organization_id, chat_days, updated_at)
        select id, 20, now() from organizations where identity_organization_id = $1`,
      [founder.organizationId],
    )
    await sendMany(office, ada, conversation, ['old'])
    await letTimePass(office, conversation, 11 * DAY)
    await sendMany(office, ada, conversation, ['new'])
    await office.office.jobs.runNow('purge-messages')
    const { data } = await ada.rest.from('messages').select('content')
    expect(data).toEqual([{ content: 'new' }])
  } finally {
    await office.close()
  }
})
