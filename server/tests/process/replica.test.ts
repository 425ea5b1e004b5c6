import { createAtriumClient, createCookieJar } from '@atrium/client'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { lookAtReplica } from '../../src/commands/doctor/replica.ts'
import { readConfig } from '../../src/configuration/config.ts'
import { enter } from '../../src/features/chat/statements.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { runPipeline } from '../../src/platform/database/pipeline.ts'
import { conversationOf } from '../chapters/chat.ts'
import { openTestPool } from '../fresh-database.ts'
import { type Listener, listenAs } from '../listener.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newMember, type Person } from '../people.ts'
import { openTestHarness } from '../run/test-harness.ts'
import { timed } from '../run/timed.ts'
import { until } from '../until.ts'
import { type BreakableDatabase, openBreakableDatabase } from './breakable-database.ts'
import { openStandby, type StandbyDatabase } from './standby-database.ts'

const harness = openTestHarness()
const ends: (() => unknown)[] = []
let primary: BreakableDatabase
let standby: StandbyDatabase
/** Where things are done, and where people look: two nodes. */
let office: TestOffice
let looking: TestOffice
let scene: Awaited<ReturnType<typeof conversationOf>>
let listener: Listener

beforeAll(async () => {
  const [from, to] = [await harness.folder(), await harness.folder()]
  primary = await openBreakableDatabase(from)
  const { connectionString } = primary
  await migrate(connectionString, pino({ level: 'silent' }))
  standby = await openStandby(primary, { from, to })
  const { pool, db, end } = openTestPool(connectionString)
  ends.push(end)
  const settings = { RATE_LIMIT_MESSAGES_PER_CONVERSATION: '0', RATE_LIMIT_MESSAGES_PER_USER: '0' }
  office = await openTestOffice({ settings, database: { connectionString, pool, db, drop: end } })
  ends.push(() => office.close())
  // the node that is connected to is the broker
  await until(async () => office.office.jobs.isLeader())
  looking = await openTestOffice({
    beside: office,
    settings: { ...settings, DATABASE_URL: connectionString, DATABASE_REPLICA_URL: standby.connectionString },
  })
  ends.push(() => looking.close())
  scene = await conversationOf(office)
  listener = await listenAs(scene.ben)
  ends.push(() => listener.close())
})
afterEach(() => standby.catchUp())
afterAll(async () => {
  for (const end of ends.reverse()) await end()
  await standby?.stop()
  await primary?.stop()
  await harness.clear()
})

/** The same session at the node that people look at. */
function lookingAs({ cookie }: Person) {
  const cookies = createCookieJar()
  cookies.set('atrium_session', cookie)
  return createAtriumClient({ baseUrl: looking.baseUrl, cookies })
}

function readsFrom(from: 'primary' | 'replica'): number {
  const measures = looking.office.replica.measures?.() ?? []
  const one = measures.find(
    ({ metric, labels }) => metric === 'database_list_reads_total' && labels?.from === from,
  )
  return one?.value ?? 0
}

/** What a look answers, and who answered. */
async function looked<T>(look: () => Promise<T>): Promise<{ answer: T; from: 'primary' | 'replica' }> {
  const before = readsFrom('replica')
  const answer = await look()
  return { answer, from: readsFrom('replica') > before ? 'replica' : 'primary' }
}

const messages = () => lookingAs(scene.ben).call('listMessages', { conversationId: scene.conversation })
const members = () => lookingAs(scene.ben).call('listMembers', { limit: 100 })
const untilAnsweredBy = (from: 'primary' | 'replica') =>
  expect.poll(async () => (await looked(members)).from).toBe(from)

async function say(content: string) {
  await scene.ada.browser.call('sendMessage', { conversationId: scene.conversation, content })
  const heard = () => listener.heard('message.created').map((data) => (data as { content: string }).content)
  await expect.poll(heard).toContain(content)
}

describe('a replica', () => {
  it('answers lists and pages of chat where it is far enough', async () => {
    await say('hello')
    await untilAnsweredBy('replica')
    const { answer, from } = await looked(messages)
    expect(answer.messages.map(({ content }) => content)).toEqual(['hello'])
    expect(from).toBe('replica')
    expect((await looked(members)).answer.page.total).toBe(2)
  })

  it('that lags shows no member less than what their events have told them', async () => {
    await untilAnsweredBy('replica')
    await standby.lag()
    for (let round = 0; round < 10; round += 1) {
      await say(`while it lags ${round}`)
      const { answer, from } = await looked(messages)
      expect(answer.messages.at(-1)?.content).toBe(`while it lags ${round}`)
      expect(from).toBe('primary')
    }
    const carl = await newMember(office, scene.founder, 'member')
    await expect.poll(() => listener.heard('member.joined').length).toBeGreaterThan(0)
    const { answer } = await looked(members)
    expect(answer.data.map(({ id }) => id)).toContain(carl.id)
    await standby.catchUp()
    await untilAnsweredBy('replica')
    expect((await looked(messages)).answer.messages).toHaveLength(11)
    expect((await looked(members)).answer.page.total).toBe(3)
  })

  it('that lags goes on answering for organizations that have been told nothing since', async () => {
    const other = await conversationOf(office)
    const look = () => lookingAs(other.ben).call('listMembers', {})
    await expect.poll(async () => (await looked(look)).from).toBe('replica')
    await standby.lag()
    await say('told to one organization')
    expect((await looked(members)).from).toBe('primary')
    expect((await looked(look)).from).toBe('replica')
  })

  it('shows a person who was removed nothing, however far behind it is', async () => {
    await untilAnsweredBy('replica')
    const dora = await newMember(office, scene.founder, 'member')
    const look = () => lookingAs(dora).request('listMembers', {})
    await expect.poll(async () => (await look()).status).toBe(200)
    await standby.lag()
    await scene.founder.browser.call('removeMember', { id: dora.id })
    await expect.poll(async () => (await look()).status).not.toBe(200)
    expect((await members()).data.map(({ id }) => id)).not.toContain(dora.id)
  })

  it('holds row security as the primary does', async () => {
    const stranger = await conversationOf(office)
    const { pool, end } = openTestPool(standby.connectionString)
    const seenBy = async (person: { id: string }, of: { organizationId: string }) => {
      const { rows } = await office.database.pool.query(
        'select id from organizations where identity_organization_id = $1',
        [of.organizationId],
      )
      const claims = { userId: person.id, organizationId: rows[0].id }
      const text = 'select count(*)::text from message_rows where conversation_id = $1'
      const [, found] = await runPipeline(pool, [
        enter(claims),
        { text, values: [String(scene.conversation)] },
      ])
      return Number(found?.[0]?.[0])
    }
    await untilAnsweredBy('replica')
    expect(await seenBy(scene.ben, scene.founder)).toBeGreaterThan(0)
    expect(await seenBy(stranger.ben, stranger.founder)).toBe(0)
    expect(await seenBy(stranger.ben, scene.founder)).toBe(0)
    await end()
    const foreign = await lookingAs(stranger.ben).request('listMessages', {
      conversationId: scene.conversation,
    })
    expect(foreign.status).toBe(404)
  })

  it('is looked at by the doctor, with how far it is behind', async () => {
    const said = async (replica: string) => {
      const environment = { DATABASE_URL: primary.connectionString, DATABASE_REPLICA_URL: replica }
      return (await lookAtReplica(readConfig({ ATRIUM_ENV: 'test', ...environment }, '/nowhere')))[0]
    }
    expect(await said(standby.connectionString)).toMatchObject({
      ok: true,
      says: expect.stringContaining('0 s'),
    })
    expect(await said(primary.connectionString)).toMatchObject({
      ok: false,
      says: expect.stringContaining('it is a primary'),
    })
    expect(await said(inject('adminConnectionString'))).toMatchObject({
      ok: false,
      says: expect.stringContaining('another database'),
    })
    expect(await said('postgres://nobody@127.0.0.1:1/none')).toMatchObject({
      ok: false,
      says: expect.stringContaining('does not answer'),
    })
  })

  it('that is another database is never asked', async () => {
    const other = await openTestOffice({
      beside: office,
      settings: {
        DATABASE_URL: primary.connectionString,
        DATABASE_REPLICA_URL: inject('adminConnectionString'),
      },
    })
    const cookies = createCookieJar()
    cookies.set('atrium_session', scene.ben.cookie)
    const browser = createAtriumClient({ baseUrl: other.baseUrl, cookies })
    expect((await browser.call('listMembers', {})).page.total).toBeGreaterThan(1)
    expect(other.office.replica.measures?.()).toContainEqual({
      ...{ metric: 'database_list_reads_total', value: 0, labels: { from: 'replica' } },
    })
    await other.close()
  })

  it('costs a request no more than its bound where the primary falls silent', async () => {
    await untilAnsweredBy('replica')
    await primary.freeze()
    const { result, ms, allowance } = await timed(() =>
      looking.office.replica.needs.reads.read(scene.founder.organizationId, async () => 'asked'),
    )
    primary.thaw()
    expect(result).toBe('asked')
    expect(ms).toBeLessThan(1_000 + allowance)
    await untilAnsweredBy('replica')
  })

  it('that is dead leaves everything to the primary, and is used again when it is back', async () => {
    await untilAnsweredBy('replica')
    await standby.stop()
    await say('while it is dead')
    const { answer, from } = await looked(messages)
    expect(answer.messages.at(-1)?.content).toBe('while it is dead')
    expect(from).toBe('primary')
    expect((await looked(members)).from).toBe('primary')
    await standby.start()
    await untilAnsweredBy('replica')
    expect((await looked(messages)).answer.messages.at(-1)?.content).toBe('while it is dead')
  })
})
