import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type AtriumClient, createAtriumClient } from '@atrium/client'
import { PostgrestClient } from '@supabase/postgrest-js'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/platform/backup/manifest.ts'
import { migrationNames } from '../../src/platform/database/schema/migration-names.ts'
import { type EmptyOffice, emptyOffice } from '../data/archived-offices.ts'
import { freshEmail } from '../office.ts'
import { until } from '../until.ts'
import { type Guest, type OfficeProcess, openProcessHarness, signUpAt } from './office-process.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RELEASES = join(ROOT, 'server/tests/fixtures/releases')
/** Made before releases were tagged. */
const FIRST = { version: '0.1.0', commit: '53cab2d' }

const harness = openProcessHarness()
const databases: EmptyOffice[] = []
afterEach(async () => {
  await harness.clear()
  for (const database of databases.splice(0)) await database.drop()
})

const hasCommit = (commit: string) =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0

const commitOf = (version: string) => (version === FIRST.version ? FIRST.commit : `v${version}`)

/** The newest release that is kept and has its commit in this clone, with its last migration. */
function releaseBefore(): { commit: string; last: string } | undefined {
  const newestFirst = readdirSync(RELEASES)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .reverse()
  const version = newestFirst.find((kept) => hasCommit(commitOf(kept)))
  if (version === undefined) return undefined
  const { database } = JSON.parse(readFileSync(join(RELEASES, version, 'manifest.json'), 'utf8')) as Manifest
  return { commit: commitOf(version), last: database.migrations.at(-1) ?? '' }
}
const release = releaseBefore()

/** That commit in a folder of its own, on the packages of this checkout. @returns its entry */
async function checkOut(commit: string): Promise<string> {
  const folder = await harness.folder()
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const packages = join(ROOT, 'node_modules')
  mkdirSync(join(folder, 'node_modules/@atrium'), { recursive: true })
  for (const name of readdirSync(packages))
    if (name !== '@atrium') symlinkSync(join(packages, name), join(folder, 'node_modules', name))
  for (const name of readdirSync(join(packages, '@atrium')))
    symlinkSync(join(folder, name), join(folder, 'node_modules/@atrium', name))
  return join(folder, 'server/bin/atrium.js')
}

/** The same person at another node: the session is of the database, and their cookie of both. */
function at({ cookie }: Pick<Guest, 'cookie'>, { url }: OfficeProcess): AtriumClient {
  return createAtriumClient({ baseUrl: url, fetch: withCookie(cookie()) })
}

function withCookie(cookie: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', cookie)
    return fetch(input, { ...init, headers })
  }
}

/** Data of the chat, as PostgREST clients ask for them. */
async function chatAt(browser: AtriumClient, { url }: OfficeProcess) {
  const { token } = await browser.call('mintChatToken')
  return new PostgrestClient(`${url}/rest/v1`, { headers: { authorization: `Bearer ${token}` } })
}

/** Sends one message of two people at a node. @returns the conversation */
async function send(browser: AtriumClient, node: OfficeProcess, to: string, content: string) {
  const chat = await chatAt(browser, node)
  const opened = await chat.rpc('open_dm', { p_peer_user_id: Number(to) }).single()
  const { conversation_id } = opened.data as { conversation_id: number }
  const sent = await chat.from('messages').insert({ conversation_id, content }).select('message_id').single()
  expect([opened.error, sent.error]).toEqual([null, null])
  return conversation_id
}

async function contentsAt(browser: AtriumClient, node: OfficeProcess, conversation: number) {
  const chat = await chatAt(browser, node)
  const { data, error } = await chat
    .from('messages')
    .select('content')
    .eq('conversation_id', conversation)
    .order('message_id')
  expect(error).toBeNull()
  return (data as { content: string }[]).map(({ content }) => content)
}

async function rowsOf<Row>({ connectionString }: EmptyOffice, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

describe('a node of the release before', () => {
  it.skipIf(!release)('works beside one of this release, on the schema of this one', async () => {
    const { commit, last } = release as NonNullable<typeof release>
    const database = await emptyOffice()
    databases.push(database)
    const settings = { DATABASE_URL: database.connectionString, DATA_DIR: database.dataDir }
    const entry = await checkOut(commit)
    const before = await harness.serve({ settings, entry })
    const ada = await signUpAt(before.url)
    const { id: organizationId } = await ada.browser.call('createOrganization', { name: 'Acme' })
    expect(await rowsOf(database, 'select name from schema_migrations order by id desc limit 1')).toEqual([
      { name: last },
    ])

    // while it runs, the schema is brought to that of this release
    const now = await harness.serve({ settings })
    expect(
      (await rowsOf<{ name: string }>(database, 'select name from schema_migrations order by id')).map(
        ({ name }) => name,
      ),
    ).toEqual(await migrationNames())
    await reachOther(before, now, ada)

    // a person comes by an invitation of the one at the other, and is a member at both
    const ben = await signUpAt(now.url)
    await ada.browser.call('sendInvitation', { email: ben.email, role: 'member' })
    const { data } = await at(ada, now).call('listInvitation', { email: ben.email })
    await at(ben, before).call('acceptInvitation', { token: data[0]?.token as string })
    const benId = (await ben.browser.call('getCurrentUser')).id
    for (const node of [before, now]) {
      const members = await at(ada, node).call('listMembers', {})
      expect(members.data.map(({ email }) => email).sort()).toEqual([ada.email, ben.email].sort())
    }

    const conversation = await send(at(ada, before), before, benId, 'from the release before')
    await send(at(ada, now), now, benId, 'from this one')
    for (const node of [before, now])
      expect(await contentsAt(at(ben, node), node, conversation)).toEqual([
        'from the release before',
        'from this one',
      ])

    for (const node of [before, now])
      await at(ada, node).call('sendInvitation', { email: freshEmail(), role: 'member' })
    expect(await auditVerdict(settings, organizationId)).toMatch(/\d+ entries/)

    // a sign-out at one node holds at the other
    await ben.browser.call('signOut')
    await until(async () => (await at(ben, before).request('getCurrentUser')).status === 401)

    // and a node of the release before can be started once more: the way back
    await before.stop()
    const again = await harness.serve({ settings, entry })
    await reachOther(again, now, ada)
    expect(again.stderr()).not.toMatch(/"level":(50|60)/)
  })
})

let roomsMade = 0
/** What is written at the one is read at the other. */
async function reachOther(one: OfficeProcess, other: OfficeProcess, person: Guest): Promise<void> {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const displayName = `Written at ${new URL(from.url).port}`
    await at(person, from).call('updateProfile', { displayName })
    expect(await at(person, to).call('getCurrentUser')).toMatchObject({ displayName })
    roomsMade += 1
    const { room } = await at(person, from).call('createRoom', { name: `Room ${roomsMade}` })
    const entered = await at(person, to).request('authorizeRoom', { roomId: room.id, username: displayName })
    expect(entered.status).toBe(200)
    await at(person, from).call('setPresenceStatus', { status: 'busy' })
    const guest = await signUpAt(to.url)
    expect((await at(guest, from).request('getCurrentUser')).status).toBe(200)
  }
}

async function auditVerdict(settings: Record<string, string>, organizationId: string): Promise<string> {
  const verifying = harness.run(['organization', 'verify-audit', organizationId], { settings })
  expect((await verifying.ended).code).toBe(0)
  return verifying.stdout()
}
