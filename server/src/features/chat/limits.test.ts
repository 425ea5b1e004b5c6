import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf, letTimePass, openDm } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const sendRaw = (from: Chatter, conversation: number, more: object = {}) =>
  fetch(`${office.baseUrl}/rest/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ conversation_id: conversation, content: 'x', ...more }),
  })
const countOf = async (conversation: number) => {
  const { rows } = await office.database.pool.query(
    'select count(*)::int as count from messages where conversation_id = $1',
    [conversation],
  )
  return rows[0].count
}

describe('the limits of sending', () => {
  it('let 5 of 50 at the same time into one conversation, and say when to come back', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendRaw(ada, conversation)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(45)
    for (const answer of refused) {
      const seconds = Number(answer.headers.get('retry-after'))
      expect(seconds).toBeGreaterThanOrEqual(1)
      expect(seconds).toBeLessThanOrEqual(10)
      expect(answer.headers.get('ratelimit-limit')).toBe('5')
      expect(answer.headers.get('ratelimit-remaining')).toBe('0')
      expect(answer.headers.get('ratelimit-reset')).toBe(String(seconds))
      expect(await answer.json()).toEqual({
        code: 'P0429',
        message: 'rate_limit_conversation',
        details: expect.any(String),
        hint: `Try again in ${seconds} s.`,
      })
    }
    expect(await countOf(conversation)).toBe(5)
    // everybody has limits of their own
    expect((await sendRaw(ben, conversation)).status).toBe(201)
    const sentAgo = (seconds: number) =>
      office.database.pool.query(
        'update messages set created_at = clock_timestamp() - make_interval(secs => $2) where conversation_id = $1',
        [conversation, seconds],
      )
    await sentAgo(1)
    expect((await sendRaw(ada, conversation)).status).toBe(429)
    await sentAgo(10)
    expect((await sendRaw(ada, conversation)).status).toBe(201)
  })

  it('let senders be after a clock that was ahead for a moment', async () => {
    const { ada, conversation } = await conversationOf(office)
    await sendRaw(ada, conversation)
    for (const sql of [
      `update messages set created_at = created_at + interval '1 hour' where conversation_id = $1`,
      `update conversations set updated_at = updated_at + interval '1 hour' where conversation_id = $1`,
    ])
      await office.database.pool.query(sql, [conversation])
    for (let n = 0; n < 6; n++) expect((await sendRaw(ada, conversation)).status).toBe(201)
  })

  it('let 20 of 50 at the same time into ten conversations', async () => {
    const founder = await newFounder(office)
    const ada = await chatterOf(office, founder)
    const peers: Person[] = []
    for (let n = 0; n < 10; n++) peers.push(await newMember(office, founder, 'guest'))
    const conversations = await Promise.all(peers.map((peer) => openDm(ada, peer)))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => sendRaw(ada, conversations[n % 10] as number)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(30)
    const [first] = refused
    expect(await first?.json()).toMatchObject({ code: 'P0430', message: 'rate_limit_global' })
    expect(Number(first?.headers.get('retry-after'))).toBeGreaterThan(30)

    // in another organization the count begins again
    const { id } = await founder.browser.call('createOrganization', { name: 'Second' })
    await founder.browser.call('switchOrganization', { email: founder.email, organizationId: id })
    const there = await chatterOf(office, founder)
    const colleague = await newMember(office, founder, 'guest')
    expect((await sendRaw(there, await openDm(there, colleague))).status).toBe(201)

    await founder.browser.call('switchOrganization', {
      email: founder.email,
      organizationId: founder.organizationId,
    })
    const back = await chatterOf(office, founder)
    expect((await sendRaw(back, conversations[0] as number)).status).toBe(429)
    for (const conversation of conversations) await letTimePass(office, conversation, 61)
    expect((await sendRaw(back, conversations[0] as number)).status).toBe(201)
  })

  it('hold across nodes', async () => {
    const { ada, conversation } = await conversationOf(office)
    const second = await openTestOffice({ beside: office })
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          fetch(`${(n % 2 ? office : second).baseUrl}/rest/v1/messages`, {
            method: 'POST',
            headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ conversation_id: conversation, content: 'x' }),
          }),
        ),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    } finally {
      await second.close()
    }
  })

  it('are not touched by what is sent again or refused', async () => {
    const { ada, conversation } = await conversationOf(office)
    const same = { client_message_id: randomUUID() }
    for (let n = 0; n < 10; n++) {
      expect((await sendRaw(ada, conversation, same)).status).toBe(201)
      expect((await sendRaw(ada, conversation, { content: '' })).status).toBe(400)
    }
    for (let n = 0; n < 4; n++) expect((await sendRaw(ada, conversation)).status).toBe(201)
    expect((await sendRaw(ada, conversation)).status).toBe(429)
    expect((await sendRaw(ada, conversation, same)).status).toBe(201)
  })

  it('are not all: a token draws on the same budget as a session of its person', async () => {
    // first: another node may take the mails that invite people to an inbox of its own
    const { ada, ben, conversation } = await conversationOf(office)
    const limited = await openTestOffice({ beside: office, settings: { RATE_LIMIT_PER_USER: '5' } })
    try {
      const page = (from: Chatter, headers: Record<string, string> = {}) =>
        fetch(`${limited.baseUrl}/rest/v1/messages?conversation_id=eq.${conversation}`, {
          headers: { authorization: `Bearer ${from.token}`, ...headers },
        })
      const withSession = () =>
        fetch(`${limited.baseUrl}/user/get`, {
          method: 'POST',
          headers: { cookie: `atrium_session=${ada.cookie}` },
        })
      expect((await withSession()).status).toBe(200)
      const answers = await Promise.all(Array.from({ length: 6 }, () => page(ada)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
      const told = answers.map(({ headers }) => headers.get('ratelimit-remaining')).sort()
      expect(told).toEqual(['0', '0', '0', '1', '2', '3'])
      const refused = answers.find(({ status }) => status === 429)
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refused?.json()).toEqual({
        code: 'PT429',
        message: expect.stringMatching(/^Too many requests; try again in \d+ seconds?$/),
        details: null,
        hint: null,
      })
      expect((await withSession()).status).toBe(429)
      expect((await page(ben)).status).toBe(200)
    } finally {
      await limited.close()
    }
  })
})

describe('the limit of new groups', () => {
  it('lets ten of 30 at the same time be made, says when to come back, and counts for each by themselves', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const open = (from: Chatter, to: Chatter) =>
      from.rest.rpc('open_conversation', { p_user_ids: [Number(to.id)], p_title: 'Buy now' })
    const answers = await Promise.all(Array.from({ length: 30 }, () => open(ada, ben)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const { status, error } of refused) {
      expect({ status, error }).toMatchObject({
        status: 429,
        error: {
          code: 'P0430',
          message: 'rate_limit_global',
          details: 'At most 10 new groups in 60 seconds.',
        },
      })
      expect(error?.hint).toMatch(/^Try again in \d+ s\.$/)
    }
    // a member who was put into them has made none, and a conversation of two is no group
    expect((await open(ben, ada)).status).toBe(200)
    expect(await openDm(ada, ben)).toBe(conversation)
    await office.database.pool.query(
      `update conversations set created_at = created_at - interval '60 s' where created_by = $1`,
      [ada.id],
    )
    expect((await open(ada, ben)).status).toBe(200)
  })
})
