import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, openGroup } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { openPushReceiver, type PushReceiver, vapidClaims } from '../../../tests/vendors/push-receiver.ts'

const PATIENTLY = { timeout: 30_000 }

/** 4,999 more who are in a group, each with a browser. */
const CROWD = `
  with made as (insert into users (identity_user_id, email, display_name, created_at, updated_at)
      select 'crowd ' || n, 'crowd.' || n || '@crowd.example', 'Crowd', now(), now() from generate_series(1, 4999) n returning id),
    joined as (insert into conversation_members (conversation_id, user_id, org_id, joined_at)
      select c.conversation_id, made.id, c.org_id, now() from made, conversations c where c.conversation_id = $1),
    sessions as (insert into sessions (user_id, token_hash, method, created_at, last_seen_at, idle_expires_at,
        absolute_expires_at)
      select id, sha256(convert_to('crowd ' || id, 'UTF8')), 'dev', now(), now(), 'infinity', 'infinity' from made
      returning id, user_id),
    subscribed as (insert into push_subscriptions (user_id, session_id, push_key_id, endpoint, browser_key, browser_secret,
        shows, created_at)
      select s.user_id, s.id, known.push_key_id, 'http://127.0.0.1:9/crowd/' || s.id, known.browser_key, known.browser_secret,
        'who', now() from sessions s, (select * from push_subscriptions limit 1) known)
  select 1`

const MENTION_ALL = `insert into mentions (message_id, conversation_id, org_id, user_id)
  select message_id, conversation_id, org_id, null from messages where message_id = $1`

describe('telling browsers', () => {
  let office: TestOffice
  let receiver: PushReceiver
  let ada: Chatter
  let ben: Chatter
  let conversationId: number
  let organizationId: string
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())
  beforeEach(async () => {
    receiver = await openPushReceiver()
    const scene = await conversationOf(office)
    ada = scene.ada
    ben = scene.ben
    conversationId = scene.conversation
    organizationId = scene.founder.organizationId
  })
  let passed = 0
  afterEach(async () => {
    await receiver.close()
    // the database has a clock of its own, which says when a message was written
    office.clock.advance(-passed)
    passed = 0
  })
  const advance = (seconds: number) => {
    passed += seconds
    office.clock.advance(seconds)
  }

  const write = (content: string, to = conversationId) =>
    ada.browser.call('sendMessage', { conversationId: to, content })
  async function subscribed(show: 'who' | 'what' = 'what') {
    const browser = receiver.newBrowser()
    const { id } = await ben.browser.call('subscribeToPush', { ...browser.subscription, show })
    return { id, told: () => receiver.toldTo(browser) }
  }
  const waiting = async () => {
    const { rows } = await office.database.pool.query(
      `select count(*)::int as count from work_items where queue = 'push' and payload ->> 'person' = $1`,
      [ben.id],
    )
    return rows[0].count
  }
  /** Everything that was to be said is said, or was found to be nothing to say. */
  const settled = () =>
    expect
      .poll(async () => {
        await office.office.work.worker('push').drain()
        return await waiting()
      }, PATIENTLY)
      .toBe(0)
  /** The push service is away when this is written: what is said of it waits. */
  async function heldBack(content: string) {
    receiver.arrivals = []
    receiver.answers = 503
    const message = await write(content)
    await expect.poll(() => receiver.arrivals.length, PATIENTLY).toBeGreaterThan(0)
    await expect.poll(waiting, PATIENTLY).toBe(1)
    receiver.arrivals = []
    receiver.answers = 201
    return message
  }

  it('says of a direct message who wrote, or what, signed for its push service', async () => {
    const [who, what] = [await subscribed('who'), await subscribed('what')]
    const { displayName } = await ada.browser.call('getCurrentUser')
    await write(`**Lunch**, <@${ben.id}>?`)
    await settled()
    const notice = {
      title: displayName,
      tag: `conversation ${conversationId}`,
      path: `/chat/${conversationId}?organization=${organizationId}`,
    }
    const { displayName: own } = await ben.browser.call('getCurrentUser')
    expect(who.told()).toEqual([{ ...notice, body: 'has written to you' }])
    expect(what.told()).toEqual([{ ...notice, body: `Lunch, @${own}?` }])
    const [{ headers } = { headers: {} as Record<string, string> }] = receiver.arrivals
    const { key, claims } = vapidClaims(headers.authorization)
    expect(key).toBe((await office.browser().call('describeOffice')).pushKey)
    expect(claims).toMatchObject({ aud: receiver.url, sub: expect.stringMatching(/^https?:/) })
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      ttl: expect.stringMatching(/^8[56]\d{3}$/),
    })
  })

  it('names only the members whom a message mentions, never people of other organizations', async () => {
    const { told } = await subscribed('what')
    const stranger = await newFounder(office)
    await stranger.browser.call('updateProfile', { displayName: 'Stranger' })
    await write(`<@${stranger.id}> and <@${ben.id}>`)
    await settled()
    const { displayName } = await ben.browser.call('getCurrentUser')
    expect(told()).toMatchObject([{ body: `<@${stranger.id}> and @${displayName}` }])
  })

  it('shows the beginning of a long text, and reads no more of it than that takes', async () => {
    const { told } = await subscribed('what')
    await write(`${'**a** '.repeat(100)}${'x'.repeat(3_000)}`)
    await settled()
    expect(told()).toMatchObject([{ body: `${'a '.repeat(100).slice(0, 199)}…` }])
  })

  it('says so where marks leave little of the beginning of a long text', async () => {
    const { told } = await subscribed('what')
    const link = `[log](https://log.example/${'x'.repeat(560)})`
    await write(`${link} ${'y'.repeat(400)}`)
    await settled()
    expect(told()).toMatchObject([{ body: `log ${'y'.repeat(600 - link.length - 1)}…` }])
  })

  it('tells a moment later of what was written when the last page had just been closed', async () => {
    const { told } = await subscribed('what')
    await ben.browser.call('setPresenceStatus', { status: 'online' })
    await write('Are you still there?')
    await office.office.work.worker('push').drain()
    expect(told()).toEqual([])
    await office.database.pool.query(`update presence set status = 'offline' where user_id = $1`, [ben.id])
    advance(21)
    await settled()
    expect(told()).toMatchObject([{ body: 'Are you still there?' }])
  })

  it('tells of an unread message where a later one that took its place has nothing to say', async () => {
    const { told } = await subscribed()
    await heldBack('Still to be told')
    const deleted = await write('Never mind')
    await ada.browser.call('deleteMessage', { messageId: deleted.message_id })
    advance(601)
    await settled()
    expect(told()).toMatchObject([{ body: 'Still to be told' }])
    // what was told is not told again
    receiver.arrivals = []
    const another = await heldBack('Neither')
    await ada.browser.call('deleteMessage', { messageId: another.message_id })
    advance(601)
    await settled()
    expect(receiver.arrivals).toEqual([])
  })

  it('tells of a group where one is mentioned, and nobody of their own messages', async () => {
    const { told } = await subscribed('who')
    const group = await openGroup(ada, [ben], 'Lunch')
    await write('Hello all', group)
    await ben.browser.call('sendMessage', { conversationId, content: `Note to self, <@${ben.id}>` })
    await settled()
    expect(told()).toEqual([])
    await write(`Are you coming, <@${ben.id}>?`, group)
    await settled()
    expect(told()).toMatchObject([
      { body: 'mentions you in Lunch', path: `/chat/${group}?organization=${organizationId}` },
    ])
  })

  it('tells of a mention that an edit adds, once, also of a message that was read before', async () => {
    const { told } = await subscribed('what')
    const group = await openGroup(ada, [ben], 'Lunch')
    const { message_id: messageId } = await write('Coming?', group)
    await ben.browser.call('markRead', { conversationId: group, messageId })
    const edit = (content: string) => ada.browser.call('editMessage', { messageId, content })
    await edit('Coming at one?')
    await settled()
    expect(told()).toEqual([])
    await edit(`Coming at one, <@${ben.id}>?`)
    await settled()
    expect(told()).toMatchObject([{ tag: `conversation ${group}` }])
    await edit(`Coming at two, <@${ben.id}>?`)
    await settled()
    expect(told()).toHaveLength(1)
  })

  it('tells of a message that waits, also where an edit of an earlier one mentioned and was taken back', async () => {
    const { told } = await subscribed('what')
    const group = await openGroup(ada, [ben], 'Lunch')
    const { message_id: early } = await write('Coming?', group)
    await write(`At one, <@${ben.id}>`, group)
    const edit = (content: string) => ada.browser.call('editMessage', { messageId: early, content })
    await edit(`Coming, <@${ben.id}>?`)
    await edit('Coming?')
    await settled()
    expect(told().map(({ body }) => body)).toContainEqual(expect.stringMatching(/^At one/))
  })

  it('tells nothing of a mention that an edit adds where the conversation was read after it', async () => {
    const { told } = await subscribed('what')
    const group = await openGroup(ada, [ben], 'Lunch')
    await ben.browser.call('setPresenceStatus', { status: 'online' })
    const { message_id: messageId } = await write('Coming?', group)
    await ada.browser.call('editMessage', { messageId, content: `Coming, <@${ben.id}>?` })
    await ben.browser.call('markRead', { conversationId: group, messageId })
    await office.database.pool.query(`update presence set status = 'offline' where user_id = $1`, [ben.id])
    advance(21)
    await settled()
    expect(told()).toEqual([])
  })

  it('tells a group of 5,000 of `@room` by items that are written at once', async () => {
    const group = await openGroup(ada, [ben], 'Everybody')
    const { message_id: message } = await write('Fire drill', group)
    await subscribed()
    const connection = await office.database.pool.connect()
    try {
      await connection.query('begin')
      await connection.query(`set local track_functions = 'all'`)
      await connection.query(CROWD, [group])
      await connection.query(MENTION_ALL, [message])
      const { rows } = await connection.query(
        `select (select count(*)::int from work_items where queue = 'push' and payload ->> 'message' = $1) as items,
          (select calls::int from pg_stat_xact_user_functions where funcname = 'put_work_items') as calls`,
        [message],
      )
      expect(rows).toEqual([{ items: 5_000, calls: 1 }])
    } finally {
      await connection.query('rollback')
      connection.release()
    }
  })

  it('leaves lanes to others while twenty push services of one person hang', async () => {
    const hanging = await openPushReceiver()
    hanging.answers = 'never'
    try {
      for (let n = 0; n < 20; n += 1) {
        const { subscription } = hanging.newBrowser()
        await ben.browser.call('subscribeToPush', { ...subscription, show: 'who' })
      }
      await write('Hello')
      await expect.poll(() => hanging.arrivals.length, PATIENTLY).toBeGreaterThan(1)
      const browser = receiver.newBrowser()
      await ada.browser.call('subscribeToPush', { ...browser.subscription, show: 'who' })
      await ben.browser.call('sendMessage', { conversationId, content: 'Here' })
      await expect.poll(() => receiver.toldTo(browser), PATIENTLY).toHaveLength(1)
      expect(hanging.mostAtOnce).toBe(2)
    } finally {
      await office.database.pool.query(`delete from push_subscriptions where user_id = $1`, [ben.id])
      await hanging.close()
    }
  })

  it.each([
    ['none', `<@BEN>`, 0],
    ['mentions', 'Hello', 0],
    ['mentions', `<@BEN>`, 1],
  ] as const)('at the level %s says of %s: %i', async (level, text, count) => {
    const { told } = await subscribed()
    await ben.browser.call('setConversationLevel', { conversationId, level })
    await write(text.replace('BEN', ben.id))
    await settled()
    expect(told()).toHaveLength(count)
  })

  it.each([
    ['is there', () => ben.browser.call('setPresenceStatus', { status: 'online' })],
    ['appears offline', () => ben.browser.call('setPresenceStatus', { status: 'appear_offline' })],
    [
      'is not to be disturbed',
      async () => {
        await ben.browser.call('setPresenceStatus', { status: 'busy' })
        await office.database.pool.query(`update presence set status = 'offline' where user_id = $1`, [
          ben.id,
        ])
      },
    ],
  ])('says nothing to who %s', async (_, does) => {
    const { told } = await subscribed()
    await does()
    await write('Hello')
    await ada.browser.call('talk', { userId: ben.id })
    await office.office.work.worker('push').drain()
    advance(76)
    await settled()
    expect(told()).toEqual([])
  })

  it('within quiet hours tells of no message, and of a knock', async () => {
    const { told } = await subscribed()
    const quietHours = { from: '00:00', to: '00:00', zone: 'Europe/Berlin' }
    await ben.browser.call('updateNotificationSettings', { quietHours })
    await write('Hello')
    await settled()
    expect(told()).toEqual([])
    await ada.browser.call('knock', { userId: ben.id })
    await settled()
    expect(told()).toHaveLength(1)
  })

  it('tells of no reply in a thread that is not followed, and of a mention in it', async () => {
    const { told } = await subscribed('what')
    const { message_id: messageId } = await write('Root')
    await settled()
    await ben.browser.call('followThread', { messageId, follow: false })
    const reply = (content: string) =>
      ada.browser.call('sendMessage', { conversationId, content, parentMessageId: messageId })
    await reply('Quiet')
    await settled()
    await reply(`Loud, <@${ben.id}>`)
    await settled()
    expect(told().map(({ body }) => body)).toEqual(['Root', expect.stringMatching(/^Loud, @/)])
  })

  it('says what stands there when it is sent, and nothing of what was read or deleted meanwhile', async () => {
    const { told } = await subscribed()
    const edited = await heldBack('Lnuch?')
    await ada.browser.call('editMessage', { messageId: edited.message_id, content: 'Lunch?' })
    advance(601)
    await settled()
    expect(told()).toMatchObject([{ body: 'Lunch?' }])

    const read = await heldBack('Read elsewhere')
    await ben.browser.call('markRead', { conversationId, messageId: read.message_id })
    advance(601)
    await settled()
    expect(receiver.arrivals).toEqual([])

    const deleted = await heldBack('Never mind')
    await ada.browser.call('deleteMessage', { messageId: deleted.message_id })
    advance(601)
    await settled()
    expect(receiver.arrivals).toEqual([])
  })

  it('drops a subscription that is gone, and leaves a push service in peace for as long as it asks', async () => {
    const gone = await subscribed()
    receiver.answers = 410
    await write('Anybody there?')
    await settled()
    expect((await ben.browser.call('listPushSubscriptions')).subscriptions).toEqual([])
    expect(gone.told()).toHaveLength(1)

    const busy = await subscribed()
    receiver.answers = { status: 429, 'retry-after': '120' }
    await write('Hello')
    await expect.poll(busy.told, PATIENTLY).toHaveLength(1)
    await expect.poll(waiting, PATIENTLY).toBe(1)
    receiver.answers = 201
    advance(60)
    await office.office.work.worker('push').drain()
    expect(busy.told()).toHaveLength(1)
    advance(61)
    await settled()
    expect(busy.told()).toHaveLength(2)
  })

  it('tells of a knock and of a talk that do not reach a person', async () => {
    const { told } = await subscribed()
    const { displayName } = await ada.browser.call('getCurrentUser')
    expect(await ada.browser.call('knock', { userId: ben.id })).toMatchObject({ state: 'not-reachable' })
    await settled()
    expect(told()).toMatchObject([
      {
        title: displayName,
        body: 'would like to talk to you for a moment',
        path: `/?organization=${organizationId}`,
      },
    ])
    const { roomId } = await ada.browser.call('talk', { userId: ben.id })
    await settled()
    expect(told().at(-1)).toMatchObject({
      body: 'is calling you',
      path: `/room/${roomId}?organization=${organizationId}`,
    })
    expect(receiver.arrivals.at(-1)?.headers).toMatchObject({ urgency: 'high' })
  })
})
