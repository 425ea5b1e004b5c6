import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'

type Founder = Awaited<ReturnType<typeof newFounder>>
type Choice = 'online' | 'away' | 'busy' | 'appear_offline'

describe('knock', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  let founder: Founder
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
    await until(async () => office.office.jobs.isLeader())
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  const channelOf = async ({ id }: Pick<Person, 'id'>) => {
    const { rows } = await office.database.pool.query(
      'select identity_user_id as id from users where id = $1',
      [id],
    )
    return `user:${founder.organizationId}:${rows[0].id}`
  }
  const heard = async (person: Pick<Person, 'id'>) =>
    (await outbox.events(await channelOf(person)))
      .filter(({ type }) => type.startsWith('knock.'))
      .map(({ type, data }) => ({ type, ...(data as object) }))
  /** A member who knocks, and a colleague who is there. */
  const pair = async (status: Choice = 'online') => {
    const [asks, colleague] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'guest'),
    ]
    await colleague.browser.call('setPresenceStatus', { status })
    return {
      asks,
      colleague,
      ask: (more = {}) => asks.browser.call('knock', { userId: colleague.id, ...more }),
    }
  }
  const expire = () => office.office.jobs.runNow('expire-knocks')

  it('reaches colleagues who are online or away, with what is said and where to meet', async () => {
    for (const status of ['online', 'away'] as const) {
      const { asks, colleague, ask } = await pair(status)
      const { id: roomId } = await newRoom(founder)
      const { knockId, state } = await ask({ roomId, message: '  Two minutes? ' })
      expect(state).toBe('waiting')
      expect(await heard(colleague)).toEqual([
        { type: 'knock.received', knockId, from: asks.id, roomId, message: 'Two minutes?' },
      ])
      expect(await heard(asks)).toEqual([])
    }
  })

  it('does not disturb who is busy, offline or appears so, and answers each alike by the same statements', async () => {
    const answers = new Set<string>()
    const steps = new Set<string>()
    for (const status of ['busy', 'appear_offline', undefined] as const) {
      const { colleague, ask } = await pair(status)
      if (!status) await office.database.pool.query('delete from presence where user_id = $1', [colleague.id])
      const answer = await ask()
      answers.add(JSON.stringify({ ...answer, knockId: answer.knockId.length }))
      const { rows } = await office.database.pool.query(
        'select count(*)::int as count from knocks where to_user_id = $1',
        [colleague.id],
      )
      steps.add(JSON.stringify([rows, await heard(colleague)]))
    }
    expect([...answers]).toEqual([JSON.stringify({ knockId: 36, state: 'not-reachable' })])
    expect([...steps]).toEqual([JSON.stringify([[{ count: 0 }], []])])
  })

  it('that disturbed nobody cannot be ended, by anybody, and that tells nothing either', async () => {
    const answers = new Set<string>()
    for (const status of ['busy', 'appear_offline', undefined] as const) {
      const { asks, colleague, ask } = await pair(status)
      if (!status) await office.database.pool.query('delete from presence where user_id = $1', [colleague.id])
      const { knockId } = await ask()
      const told = [
        await asks.browser.request('cancelKnock', { knockId }),
        await colleague.browser.request('answerKnock', { knockId, answer: 'no' }),
      ]
      for (const { status: code, body } of told) {
        const { requestId, ...said } = body as { requestId: string; error: string }
        expect(requestId).toMatch(/./)
        answers.add(JSON.stringify([code, said]))
      }
      // what had been delivered would be told of to both
      expect(await heard(asks)).toEqual([])
    }
    expect([...answers]).toEqual([expect.stringMatching(/^\[404,.*"knock-not-found"/)])
  })

  it('waits once for a colleague, however often and at once it is asked', async () => {
    const { asks, colleague, ask } = await pair()
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask()))
    expect(new Set(answers.map(({ knockId }) => knockId)).size).toBe(1)
    expect(await heard(colleague)).toHaveLength(1)
    // another pair, and the same the other way round, are others
    await asks.browser.call('setPresenceStatus', { status: 'online' })
    const back = await colleague.browser.call('knock', { userId: asks.id })
    expect(back).toMatchObject({ state: 'waiting' })
    expect(back.knockId).not.toBe(answers[0]?.knockId)
  })

  it('says what is new where it is asked anew in other words, and waits anew; the newest words count', async () => {
    const { asks, colleague, ask } = await pair()
    const { id: roomId } = await newRoom(founder)
    const { knockId } = await ask()
    office.clock.advance(20)
    for (const words of [{ roomId }, { roomId }, { roomId, message: 'Now?' }])
      expect(await ask(words)).toEqual({ knockId, state: 'waiting' })
    const received = { type: 'knock.received', knockId, from: asks.id }
    const told = [received, { ...received, roomId }, { ...received, roomId, message: 'Now?' }]
    expect(await heard(colleague)).toEqual(told)
    office.clock.advance(20)
    await expire()
    expect(await heard(colleague)).toEqual(told)
    await colleague.browser.call('answerKnock', { knockId, answer: 'accept' })
    expect(await heard(asks)).toEqual([{ type: 'knock.ended', knockId, outcome: 'accept' }])
    const { rows } = await office.database.pool.query('select * from knocks where id = $1', [knockId])
    expect(JSON.stringify(rows)).not.toContain('Now?')
  })

  it('of many at once in different words, one waits and each is heard', async () => {
    const { colleague, ask } = await pair()
    const messages = ['One', 'Two', 'Three', 'Four']
    const answers = await Promise.all(messages.map((message) => ask({ message })))
    expect(new Set(answers.map(({ knockId }) => knockId)).size).toBe(1)
    const said = (await heard(colleague)).map((event) => (event as { message?: string }).message)
    expect(said.sort()).toEqual(messages.sort())
  })

  it('ends by itself after 30 seconds, and both hear of it once', async () => {
    const { asks, colleague, ask } = await pair()
    const { knockId } = await ask()
    // the clock runs, and a busy machine takes seconds from here to there
    office.clock.advance(15)
    await expire()
    expect(await heard(asks)).toEqual([])
    office.clock.advance(16)
    await expire()
    await expire()
    const ended = { type: 'knock.ended', knockId, outcome: 'expired' }
    expect(await heard(asks)).toEqual([ended])
    expect((await heard(colleague)).at(-1)).toEqual(ended)
    // and the next one waits
    expect((await ask()).knockId).not.toBe(knockId)
  })

  it('has ended after 30 seconds, also where the job has not come by yet', async () => {
    const { asks, colleague, ask } = await pair()
    const { knockId } = await ask()
    // the job of this office knows this clock too: one statement stands in for a moment without it
    await office.database.pool.query(`update knocks set expires_at = now() - interval '1 h' where id = $1`, [
      knockId,
    ])
    const again = await ask()
    expect(again.knockId).not.toBe(knockId)
    expect(await heard(asks)).toEqual([{ type: 'knock.ended', knockId, outcome: 'expired' }])
    expect((await heard(colleague)).filter(({ type }) => type === 'knock.received')).toHaveLength(2)
  })

  it.each(['who asks', 'who is asked'])('ends where %s is no longer a member', async (who) => {
    const { asks, colleague, ask } = await pair()
    const { knockId } = await ask()
    const [gone, stays] = who === 'who asks' ? [asks, colleague] : [colleague, asks]
    await founder.browser.call('removeMember', { id: gone.id })
    expect((await heard(stays)).at(-1)).toEqual({ type: 'knock.ended', knockId, outcome: 'cancelled' })
  })

  it('is for colleagues: none of another organization, none who is gone, and not oneself', async () => {
    const { asks } = await pair()
    const stranger = await newFounder(office)
    await stranger.browser.call('setPresenceStatus', { status: 'online' })
    for (const userId of [stranger.id, '999999999', 'nobody'])
      expect(await asks.browser.request('knock', { userId })).toMatchObject({
        status: 404,
        body: { error: 'member-not-found' },
      })
    expect(await asks.browser.request('knock', { userId: asks.id })).toMatchObject({ status: 400 })
    const { id: roomId } = await newRoom(stranger)
    expect(await asks.browser.request('knock', { userId: founder.id, roomId })).toMatchObject({
      status: 404,
      body: { error: 'room-not-found' },
    })
  })

  it.each([
    ['nothing', ''],
    ['too much', 'x'.repeat(201)],
    ['an invisible character', 'come\u200b'],
    ['a line break', 'a\nb'],
  ])('takes no message of %s', async (_what, message) => {
    const answer = await founder.browser.request('knock', { userId: '1', message })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    expect(JSON.stringify(answer.body)).toContain('a message')
  })

  it('is deleted when nobody can need it any more', async () => {
    const { ask } = await pair()
    const { knockId } = await ask()
    const left = async () => {
      await office.office.jobs.runNow('purge-knocks')
      const { rows } = await office.database.pool.query('select 1 from knocks where id = $1', [knockId])
      return rows.length
    }
    office.clock.advance(31)
    await expire()
    expect(await left()).toBe(1)
    office.clock.advance(11 * 60)
    expect(await left()).toBe(0)
  })
})

it('has a budget for each person', async () => {
  await using office = await closing(openTestOffice({ settings: { RATE_LIMIT_KNOCKS_PER_USER: '2' } }))
  const founder = await newFounder(office.office)
  const member = await newMember(office.office, founder, 'member')
  const ask = async () => (await founder.browser.request('knock', { userId: member.id })).status
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
  expect((await member.browser.request('knock', { userId: founder.id })).status).toBe(200)
})

it('costs the same of whoever is busy, offline or appears so: nobody asks all day whether somebody is back', async () => {
  await using office = await closing(openTestOffice({ settings: { RATE_LIMIT_KNOCKS_PER_USER: '3' } }))
  const founder = await newFounder(office.office)
  const left = new Set<string>()
  for (const status of ['busy', 'appear_offline', 'online'] as const) {
    const asks = await newMember(office.office, founder, 'member')
    const colleague = await newMember(office.office, founder, 'member')
    await colleague.browser.call('setPresenceStatus', { status })
    const answer = await asks.browser.request('knock', { userId: colleague.id })
    left.add(`${answer.status}, ${answer.headers.get('ratelimit-remaining')} left`)
  }
  expect([...left]).toEqual(['200, 2 left'])
})

async function closing(opening: Promise<TestOffice>) {
  const office = await opening
  return { office, [Symbol.asyncDispose]: () => office.close() }
}
