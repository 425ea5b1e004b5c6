import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf } from '../../../tests/chapters/chat.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

/** A person who reads as hard as they can slows no other. */

let office: TestOffice
let own: Awaited<ReturnType<typeof conversationOf>>
beforeAll(async () => {
  office = await openTestOffice()
  own = await conversationOf(office)
})
afterAll(() => office.close())

const LANES = 24
const ask = (from: Chatter, path: string, at = office) =>
  fetch(`${at.baseUrl}/rest/v1/${path}`, { headers: { authorization: `Bearer ${from.token}` } })

/** Many long messages, past the limits of sending. */
async function fill(conversation: number, count: number, content: string): Promise<void> {
  const client = await office.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(
      `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited, is_deleted, created_at, updated_at)
       select nextval('message_ids'), c.conversation_id, c.org_id, c.low_user_id, $3, 0, false, false, now() - interval '1 hour', now()
       from conversations c, generate_series(1, $2::int) n where c.conversation_id = $1`,
      [conversation, count, content],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** The table is locked until `work` is done: a caller who asks for it holds a connection. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const blocker = await office.database.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query(`lock table ${table} in access exclusive mode`)
    return await work()
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
}

/** How many connections of the office wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await office.database.pool.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

describe('a select', () => {
  it.each(['content,content', 'a:content,b:content', '*,content', '*,*', 'content,x:sender_id,x:message_id'])(
    'names a column once: %s is refused',
    async (select) => {
      const answer = await ask(own.ada, `messages?select=${encodeURIComponent(select)}`)
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { code: 'PGRST100', details: expect.stringMatching(/named more than once/) },
      })
    },
  )
})

describe('an answer', () => {
  it('has a bound of bytes, and says how to stay within it', async () => {
    const { ada, conversation } = await conversationOf(office)
    // characters that take six bytes each in JSON
    await fill(conversation, 150, '\u0001'.repeat(4_000))
    const refused = {
      code: '54000',
      message: 'The answer would be larger than 2048 KiB: ask for fewer rows or columns',
    }
    expect(await ada.rest.from('messages').select('content')).toMatchObject({ status: 413, error: refused })
    const page = { p_conversation_id: conversation, p_limit: 150 }
    expect(await ada.rest.rpc('get_conversation_messages', page)).toMatchObject({
      status: 413,
      error: refused,
    })
    expect((await ada.rest.from('messages').select('message_id')).data).toHaveLength(150)
    expect((await ada.rest.from('messages').select('content').limit(50)).data).toHaveLength(50)
    // a page as the function has it is always answered
    const longest = await ada.rest.rpc('get_conversation_messages', { ...page, p_limit: 100 })
    expect(longest.data).toHaveLength(100)
  })

  it('counts once more for every 65,536 characters of it', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    await fill(conversation, 100, 'x'.repeat(4_000))
    const limited = await openTestOffice({ beside: office, settings: { RATE_LIMIT_PER_USER: '10' } })
    try {
      const page = () => ask(ada, 'messages?select=content', limited)
      // 400 kB: seven of ten
      expect((await page()).headers.get('ratelimit-remaining')).toBe('9')
      const second = await page()
      expect(Number(second.headers.get('ratelimit-remaining'))).toBeLessThanOrEqual(2)
      expect((await page()).status).toBe(429)
      // what was too long was made all the same
      await fill(conversation, 600, 'x'.repeat(4_000))
      expect((await ask(ben, 'messages?select=content', limited)).status).toBe(413)
      expect((await ask(ben, 'messages?limit=1', limited)).status).toBe(429)
    } finally {
      await limited.close()
    }
  })

  it('keeps those that wait behind it waiting no longer where it used up what they had to be paid from', async () => {
    const { ada, conversation } = await conversationOf(office)
    await fill(conversation, 100, 'x'.repeat(4_000))
    const settings = { RATE_LIMIT_PER_USER: '10', REQUESTS_UNDER_WAY_PER_USER: '1' }
    const limited = await openTestOffice({ beside: office, settings })
    try {
      const pages = await Promise.all(Array.from({ length: 8 }, () => ask(ada, 'messages', limited)))
      expect(pages.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 429)])
      for (const page of pages)
        if (page.status === 429) expect(page.headers.get('retry-after')).toMatch(/^\d+$/)
    } finally {
      await limited.close()
    }
  })

  it('counts once more for every 50 ms that rows took', async () => {
    const { ada } = await conversationOf(office)
    const limited = await openTestOffice({ beside: office, settings: { RATE_LIMIT_PER_USER: '10' } })
    try {
      const page = () => ask(ada, 'messages?content=neq.x', limited)
      const slow = await whileLocked('messages', async () => {
        const asked = page()
        await expect.poll(waiting).toBe(1)
        await office.database.pool.query('select pg_sleep(0.2)')
        return { asked }
      }).then(({ asked }) => asked)
      expect(slow.headers.get('ratelimit-remaining')).toBe('9')
      expect(Number((await page()).headers.get('ratelimit-remaining'))).toBeLessThanOrEqual(10 - 1 - 4 - 1)
    } finally {
      await limited.close()
    }
  })
})

describe('one who asks for more than there is room', () => {
  it('waits for their own requests, with a session and with a token, while others are answered', async () => {
    const one = await openTestOffice({ beside: office, settings: { REQUESTS_UNDER_WAY_PER_USER: '1' } })
    try {
      const person = await newFounder(one, 'Engines')
      const colleague = await chatterOf(one, await newMember(one, person, 'member'))
      const ada = await chatterOf(one, person)
      const answers = await whileLocked('rooms', async () => {
        const lanes: Promise<{ status: number }>[] = [ada.browser.request('createRoom', { name: 'Room' })]
        await expect.poll(waiting).toBe(1)
        // as many as may wait behind it, and as many more
        for (let n = 0; n < 100; n += 1) lanes.push(ada.browser.request('getCurrentUser'))
        const further = [ada.browser.request('getCurrentUser'), ask(ada, 'presence', one)]
        for (const refused of await Promise.all(further)) {
          expect(refused.status).toBe(429)
          expect(refused.headers.get('retry-after')).toBe('1')
        }
        expect((await colleague.browser.request('getCurrentUser')).status).toBe(200)
        expect((await ask(colleague, 'presence', one)).status).toBe(200)
        return lanes
      })
      for (const { status } of await Promise.all(answers)) expect([200, 429]).toContain(status)
      expect((await ask(ada, 'presence', one)).status).toBe(200)
    } finally {
      await one.close()
    }
  })

  it('hears that the database is silent where it is: their own requests wait for nothing else', async () => {
    const settings = { REQUESTS_UNDER_WAY_PER_USER: '2', DATABASE_WAIT_MS: '1500' }
    const brisk = await openTestOffice({ beside: office, settings })
    try {
      const person = await newFounder(brisk, 'Engines')
      const ada = await chatterOf(brisk, person)
      const rooms = await whileLocked('rooms', () =>
        Promise.all(Array.from({ length: 12 }, () => ada.browser.request('listRooms'))),
      )
      expect(rooms.map(({ status }) => status)).toEqual(Array(12).fill(503))
      const messages = await whileLocked('messages', () =>
        Promise.all(Array.from({ length: 12 }, () => ask(ada, 'messages?select=content', brisk))),
      )
      expect(messages.map(({ status }) => status)).toEqual(Array(12).fill(503))
    } finally {
      await brisk.close()
    }
  })

  it('in chat, has a statement that does not come to its end ended, and holds no connection any more', async () => {
    const brisk = await openTestOffice({ beside: office, settings: { DATABASE_WAIT_MS: '4000' } })
    try {
      await whileLocked('messages', async () => {
        expect((await ask(own.ada, 'messages?select=content', brisk)).status).toBe(503)
        await expect.poll(waiting).toBe(0)
      })
    } finally {
      await brisk.close()
    }
  })

  it('in chat, keeps nobody of another organization from anything', async () => {
    const stranger = await chatterOf(office, await newFounder(office, 'Elsewhere'))
    const { answers, others } = await whileLocked('messages', async () => {
      const lanes = Array.from({ length: LANES }, () => ask(own.ada, 'messages?limit=1000'))
      // as many as may, of the person and of the organization
      const bens = Array.from({ length: LANES }, () => ask(own.ben, 'messages?limit=1000'))
      await expect.poll(waiting).toBeGreaterThan(1)
      const asked = await Promise.all([
        stranger.browser.request('listMembers', {}),
        office.browser().request('signIn', { email: freshEmail() }),
        ask(stranger, 'presence'),
      ])
      return { answers: [...lanes, ...bens], others: asked.map(({ status }) => status) }
    })
    expect(others).toEqual([200, 200, 200])
    for (const answer of await Promise.all(answers)) expect([200, 429, 503]).toContain(answer.status)
    expect((await ask(own.ada, 'messages?limit=1000')).status).toBe(200)
  })

  it('with a session, keeps nobody of another organization from anything', async () => {
    // ten connections of the pool, as production has them
    const settings = { REQUESTS_UNDER_WAY_PER_USER: '2', REQUESTS_UNDER_WAY_PER_ORGANIZATION: '6' }
    const bounded = await openTestOffice({ beside: office, settings })
    try {
      const noisy = await newFounder(bounded, 'Noisy')
      const colleague = await newMember(bounded, noisy, 'member')
      const stranger = await newFounder(bounded, 'Quiet')
      const { answers, others } = await whileLocked('rooms', async () => {
        const lanes = [noisy, colleague].flatMap((person) =>
          Array.from({ length: LANES }, (_, n) =>
            person.browser.request('createRoom', { name: `Room ${n}` }),
          ),
        )
        // a job of the office may wait as well
        await expect.poll(waiting).toBeGreaterThan(3)
        const asked = await Promise.all([
          stranger.browser.request('listMembers', {}),
          stranger.browser.request('getCurrentUser'),
          bounded.browser().request('signIn', { email: freshEmail() }),
        ])
        return { answers: lanes, others: asked.map(({ status }) => status) }
      })
      expect(others).toEqual([200, 200, 200])
      for (const { status } of await Promise.all(answers)) expect([200, 201, 409, 429, 503]).toContain(status)
    } finally {
      await bounded.close()
    }
  })
})
