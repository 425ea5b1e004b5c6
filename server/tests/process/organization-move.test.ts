import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { until } from '../until.ts'
import { fillOrganization } from './fill-organization.ts'
import {
  type Guest,
  type OfficeProcess,
  openProcessHarness,
  type Running,
  signUpAt,
} from './office-process.ts'

const PEOPLE = 1_000
const MESSAGES = 20_000
/** At the same time, until they are refused. */
const WRITERS = 8
const MOVED_TO = 'https://new.example'

interface Place {
  database: FreshDatabase
  pool: pg.Pool
  settings: Record<string, string>
  office: OfficeProcess
}

const harness = openProcessHarness()
const stack = new AsyncDisposableStack()
let source: Place
let target: Place
beforeAll(async () => {
  source = await openPlace()
  target = await openPlace()
})
afterAll(() => stack.disposeAsync())

async function openPlace(): Promise<Place> {
  const database = await freshDatabase()
  stack.defer(() => database.drop())
  const pool = new pg.Pool({ connectionString: database.connectionString, max: 2 })
  stack.defer(() => pool.end())
  stack.defer(() => harness.clear())
  const settings = { DATABASE_URL: database.connectionString, DATA_DIR: join(await harness.folder(), 'data') }
  return { pool, database, settings, office: await harness.serve({ settings }) }
}

const begin = ({ settings }: Place, ...args: string[]) => harness.run(['organization', ...args], { settings })

async function done(running: Running): Promise<string> {
  expect(await running.ended, running.stderr()).toEqual({ code: 0, signal: null })
  return running.stdout()
}

const command = (place: Place, ...args: string[]) => done(begin(place, ...args))

async function kill(running: Running): Promise<void> {
  running.kill('SIGKILL')
  expect(await running.ended).toEqual({ code: null, signal: 'SIGKILL' })
}

async function messagesOf({ pool }: Place, organizationId: string): Promise<string[]> {
  const { rows } = await pool.query<{ content: string }>(
    `select m.content from messages m join organizations o on o.id = m.org_id
      where o.identity_organization_id = $1 order by m.message_id`,
    [organizationId],
  )
  return rows.map(({ content }) => content)
}

/** Messages flow; they have begun when it answers. @returns those that were acknowledged, once the organization is closed */
async function beginWriting({ browser }: Guest, round: string): Promise<() => Promise<string[]>> {
  const { conversations } = await browser.call('listConversations')
  const conversationId = conversations[0]?.conversationId as number
  const acknowledged: string[] = []
  const write = async (writer: number) => {
    for (let n = 0; ; n += 1) {
      const content = `${round} ${writer}: ${n}`
      const { status } = await browser.request('sendMessage', { conversationId, content })
      // too many at once
      if (status === 429 || status === 503) await sleep(100)
      else if (status >= 400) return
      else acknowledged.push(content)
    }
  }
  const ended = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  await until(async () => acknowledged.length > 50)
  return async () => {
    await ended
    return acknowledged
  }
}

const isClosed = async (organizationId: string) => {
  const { rowCount } = await source.pool.query(
    'select from organizations where identity_organization_id = $1 and deleted_at is not null',
    [organizationId],
  )
  return rowCount === 1
}

async function killSwitchOnceClosed(organizationId: string, file: string): Promise<void> {
  const running = begin(source, 'move', 'switch', organizationId, file, '--to', MOVED_TO, '--settle', '600')
  await until(() => isClosed(organizationId))
  await kill(running)
}

/** While its messages are stored: nothing of it is committed. */
async function killImport(file: string): Promise<void> {
  const running = begin(target, 'import', file)
  await until(async () => {
    const { rowCount } = await target.pool.query(
      `select from pg_stat_activity where datname = current_database() and query ilike 'insert into "messages"%'`,
    )
    return rowCount === 1
  })
  await kill(running)
  await until(async () => {
    const { rowCount } = await target.pool.query(
      `select from pg_stat_activity where datname = current_database() and query ilike '%into "messages"%' and pid <> pg_backend_pid()`,
    )
    return rowCount === 0
  })
}

it(`moves ${PEOPLE} people while they write, though a switch and an import are killed: nothing is lost or doubled`, async () => {
  const founder = await signUpAt(source.office.url)
  const { id } = await founder.browser.call('createOrganization', { name: 'Busy' })
  await fillOrganization(source.database.connectionString, id, { people: PEOPLE, messages: MESSAGES })
  await signUpAt(target.office.url)
  const file = join(await harness.folder(), 'moved.tar.gz')

  // killed when it was closed, and opened again: people are let in
  const ofFirst = await beginWriting(founder, 'first')
  await killSwitchOnceClosed(id, file)
  const first = await ofFirst()
  await command(source, 'move', 'rollback', id)
  const back = await signUpAt(source.office.url, founder.email)
  expect((await back.browser.call('getCurrentUser')).currentOrganizationId).toBe(id)
  expect((await messagesOf(source, id)).slice(MESSAGES).toSorted()).toEqual(first.toSorted())

  // killed once more, and called again
  const ofSecond = await beginWriting(back, 'second')
  await killSwitchOnceClosed(id, file)
  const second = await ofSecond()
  const closedAt = performance.now()
  await command(source, 'move', 'switch', id, file, '--to', MOVED_TO, '--settle', '1')
  const switchedAt = performance.now()
  await killImport(file)
  expect(await messagesOf(target, id)).toEqual([])
  const againAt = performance.now()
  const said = await command(target, 'import', file)
  const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1)
  const importedAt = performance.now()
  console.log(
    `${PEOPLE} people, ${MESSAGES + first.length + second.length} messages: switch ${seconds(closedAt, switchedAt)} s, import ${seconds(againAt, importedAt)} s`,
  )

  const there = await messagesOf(target, id)
  expect(there).toEqual(await messagesOf(source, id))
  expect(there.slice(MESSAGES).toSorted()).toEqual([...first, ...second].toSorted())
  const { rows } = await target.pool.query(
    `select count(*)::int as people, count(distinct u.email)::int as addresses
      from memberships m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      where o.identity_organization_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ people: PEOPLE, addresses: PEOPLE }])
  const arrived = await signUpAt(target.office.url, founder.email)
  expect((await arrived.browser.call('getCurrentUser')).currentOrganizationId).toBe(id)

  // a lost receipt is printed again by the same call
  const again = await command(target, 'import', file)
  const receipt = /Receipt[^:]*: ([0-9a-f]{64})/
  expect(receipt.exec(again)?.[1]).toBe(receipt.exec(said)?.[1])
  expect(await messagesOf(target, id)).toEqual(there)
  await command(source, 'move', 'confirm', id, receipt.exec(again)?.[1] as string)
})
