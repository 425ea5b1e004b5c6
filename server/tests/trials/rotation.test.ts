import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAtriumClient, createCookieJar } from '@atrium/client'
import { afterEach, describe, expect, it } from 'vitest'
import { secondsAfter } from '../../src/platform/clock.ts'
import { transaction } from '../../src/platform/database/transaction.ts'
import { queueMail } from '../../src/platform/mail/mail-queue.ts'
import { restOf } from '../chapters/chat.ts'
import { arriveAt, connectToIssuer, giveDomain } from '../chapters/single-sign-on.ts'
import { addressAt, picture, put } from '../chapters/uploads.ts'
import { newWebhook } from '../chapters/webhook-scene.ts'
import { freshDatabase } from '../fresh-database.ts'
import { freshEmail, openTestOffice, type TestOffice, testClock } from '../office.ts'
import { atrium } from '../operator/command-line.ts'
import { linkTokenOf, mailsTo, newFounder, newPerson, type Person, signedUp } from '../people.ts'
import { until } from '../until.ts'
import { calendarVendor } from '../vendors/calendar-vendor.ts'
import { openHostileIssuer } from '../vendors/hostile-issuer.ts'
import { openWebhookReceiver } from '../vendors/webhook-receiver.ts'

const PROCEDURE = readFileSync(new URL('../../../docs/operations/rotation.md', import.meta.url), 'utf8')
const KEYS = { old: 'old'.repeat(12), new: 'new'.repeat(12), newer: 'newer'.repeat(8) }

type Settings = Record<string, string>
type Step = 'know' | 'use' | 'use-again' | 'forget'

/** The settings of a step, as the procedure has them. */
function settingsOf(step: Step, keys: Record<string, string> = KEYS): Settings {
  const block = new RegExp(`\`\`\`env step=${step}\\n([^]*?)\`\`\``).exec(PROCEDURE)?.[1]
  if (!block) throw new Error(`the procedure has no step ${step}`)
  const lines = block
    .trim()
    .split('\n')
    .map((line) => line.trim())
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split('=')
      return [name, value.replaceAll(/<(\w+)>/g, (_, key: string) => keys[key] ?? `no key ${key}`)]
    }),
  )
}

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** Two nodes on one database, restarted one after the other. */
async function openNodes(common: Settings, first: Settings) {
  const database = await freshDatabase()
  cleanUps.push(() => database.drop())
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-rotation-'))
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }))
  const shared = { database, dataDir, clock: testClock() } as TestOffice
  // what is sealed is sealed again by a job, from the start on
  const open = (own: Settings) =>
    openTestOffice({ beside: shared, settings: { ...common, ...own }, jobsAtOnce: true })
  const nodes: [TestOffice, TestOffice] = [await open(first), await open(first)]
  cleanUps.push(async () => {
    for (const node of nodes) await node.close()
  })
  return {
    nodes,
    database,
    /** @param between while one node runs with the new settings and the other with the old ones */
    async restart(settings: Settings, between?: () => Promise<void>) {
      for (const at of [0, 1] as const) {
        await nodes[at].close()
        nodes[at] = await open(settings)
        if (at === 0) await between?.()
      }
    },
    keys: (command: 'status' | 'reseal', settings: Settings) =>
      atrium({ database }, ['keys', command], { settings: { ...common, ...settings } }),
  }
}

type Nodes = Awaited<ReturnType<typeof openNodes>>

/** The same browser at another node. */
const browserAt = (office: TestOffice, { cookie }: Pick<Person, 'cookie'>) => {
  const cookies = createCookieJar()
  cookies.set('atrium_session', cookie)
  return createAtriumClient({ baseUrl: office.baseUrl, cookies })
}

/** Everything that is sealed, made at one node. @returns what looks whether all of it works at another */
async function sealEverything(office: TestOffice, vendor: Awaited<ReturnType<typeof calendarVendor>>) {
  const founder = await newFounder(office, 'Rotated')
  const { organizationId } = founder
  const issuer = await openHostileIssuer()
  cleanUps.push(() => issuer.close())
  const domain = `${freshEmail('d').split('@')[0]}.example`
  await giveDomain(office, organizationId, domain)
  await connectToIssuer(office, organizationId, issuer.issuer)
  const inviteToken = await linkTokenOf(founder)
  const { room } = await founder.browser.call('createRoom', { name: 'Kitchen' })
  const invite = { orgId: organizationId, roomId: room.id, durationSeconds: 7 * 86_400 }
  const { inviteUrl, inviteId } = await founder.browser.call('inviteGuest', invite)
  const guestToken = new URL(inviteUrl).searchParams.get('invite_token') as string
  await vendor.connect(founder.browser, 'A')
  const service = { name: 'Payroll', operations: ['listMembers' as const] }
  const { token: serviceToken } = await founder.browser.call('createServiceToken', service)
  const receiver = await openWebhookReceiver()
  cleanUps.push(() => receiver.close())
  const webhook = await newWebhook(founder.browser, { url: receiver.url, events: ['room.created'] })
  let rooms = 0
  return {
    founder,
    inviteId,
    guestToken,
    async works(at: TestOffice, { isGuestLinkOver = false } = {}) {
      const browser = browserAt(at, founder)
      expect(await arriveAt(at, issuer, `p${++rooms}@${domain}`)).toMatchObject({ id: expect.any(String) })
      const { inviteLink } = await browser.call('getInviteLink')
      expect(new URL(inviteLink).searchParams.get('invite_token')).toBe(inviteToken)
      const joined = await newPerson(at)
      expect(await joined.browser.request('joinOrganization', { inviteToken })).toMatchObject({ status: 200 })
      const preview = await at.browser().request('previewGuestInvite', { inviteToken: guestToken })
      expect(preview.status).toBe(isGuestLinkOver ? 400 : 200)
      expect((await browser.request('listProviderACalendars')).status).toBe(200)
      expect((await at.program(serviceToken).request('listMembers')).status).toBe(200)
      const before = receiver.arrivals.length
      await browser.call('createRoom', { name: `Room ${rooms}` })
      await until(() => receiver.arrivals.length > before)
      receiver.verify(webhook.secret)
      expect((await signedUp(at)).id).toBeTruthy()
    },
  }
}

/** A mail that waits to be sent, as where the mail server is away. */
async function waitingMail(office: TestOffice, to: string): Promise<void> {
  const now = office.clock.now()
  const posting = { mailClass: 'invitation', now, notAfter: secondsAfter(now, 86_400) } as const
  const message = { to, subject: 'Waiting', text: 'Waiting', html: '<p>Waiting</p>' }
  await transaction(office.database.db, async (tx) => {
    await queueMail(tx, office.office.needs.mailRing, message, posting)
    await tx
      .updateTable('work_items')
      .set({ run_at: secondsAfter(now, 86_000) })
      .where('queue', '=', 'mail')
      .execute()
  })
}

async function deliver(office: TestOffice, to: string): Promise<void> {
  await office.database.pool.query(
    "update work_items set run_at = now() - interval '1 second' where queue = 'mail'",
  )
  await until(async () => (await mailsTo(office, to)).length > 0)
}

/** What is made at one node while the other has another key, and used there. */
async function passesBetween(from: TestOffice, to: TestOffice): Promise<void> {
  const cookies = createCookieJar()
  const clientOf = ({ baseUrl }: TestOffice) => createAtriumClient({ baseUrl, cookies })
  const [here, there] = [clientOf(from), clientOf(to)]
  const email = freshEmail()
  await here.call('signUp', { email })
  let code: string | undefined
  await until(async () => {
    code = (await mailsTo(to, email)).find((mail) => mail.code)?.code
    return code !== undefined
  })
  expect(await there.request('finalizeMagicAuth', { email, code: code as unknown as string })).toMatchObject({
    status: 200,
  })
  await here.call('createOrganization', { name: 'Between' })
  const { token } = await here.call('mintChatToken')
  const { error } = await restOf(to, token).from('conversations').select('*')
  expect(error).toBeNull()
  const ticket = await here.call('createAvatarUploadTicket', { contentType: 'image/png' })
  expect(await put(addressAt(to, ticket.uploadUrl), await picture('png'), 'image/png')).toMatchObject({
    status: 200,
  })
  const idempotencyKey = freshEmail('key')
  const made = await here.request('createRoom', { name: 'Twice' }, { idempotencyKey })
  const again = await there.request('createRoom', { name: 'Twice' }, { idempotencyKey })
  expect(again.body).toEqual(made.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await there.request('createRoom', { name: 'Other' }, { idempotencyKey })
  expect(other).toMatchObject({ status: 422 })
}

const bothWays = async ({ nodes: [one, other] }: Nodes) => {
  await passesBetween(one, other)
  await passesBetween(other, one)
}

describe('docs/operations/rotation.md, as written', () => {
  it('two rotations in a row over two nodes lose nothing that was sealed', async () => {
    const vendor = await calendarVendor()
    cleanUps.push(() => vendor.close())
    vendor.respond = () => ({ body: { items: [], value: [] } })
    const common = { ...vendor.settings, ATRIUM_ALLOW_PRIVATE_WEBHOOKS: 'true' }
    const start = { SECRET_KEY: KEYS.old }
    const office = await openNodes(common, start)
    const { nodes } = office
    const scene = await sealEverything(nodes[0], vendor)
    await scene.works(nodes[1])
    const [patient, second] = [freshEmail('waits'), freshEmail('waits-too')]
    await waitingMail(nodes[0], patient)

    await office.restart(settingsOf('know'), () => scene.works(nodes[0]))
    await office.restart(settingsOf('use'), async () => {
      // sealed by the node that has the new key already, opened by the one that only knows it
      const late = await sealEverything(nodes[0], vendor)
      await late.works(nodes[1])
      await scene.works(nodes[0])
    })
    await waitingMail(nodes[1], second)
    const status = () => office.keys('status', settingsOf('use'))
    await until(
      async () =>
        !/(sso|sign-on|invite links|webhook secrets|tokens|mails)[^\n]*PREVIOUS/.test(await status()),
    )
    expect(await status()).toMatch(/SECRET_KEY_PREVIOUS \(number 1\) is needed until \d{4}-/)

    // the next change begins before the first is over: links for guests still need the first key
    const next = { SECRET_KEY: KEYS.new, SECRET_KEY_PREVIOUS: KEYS.old, SECRET_KEY_NEXT: KEYS.newer }
    await office.restart(next)
    await office.restart(settingsOf('use-again'), () => scene.works(nodes[1]))
    for (const node of nodes) await scene.works(node)
    expect(await office.keys('reseal', settingsOf('use-again'))).toContain(
      'SECRET_KEY_PREVIOUS (number 2) is needed until',
    )
    for (const to of [patient, second]) await deliver(nodes[1], to)

    await office.database.pool.query('update guest_invites set revoked_at = now()')
    await office.database.pool.query('delete from idempotent_replies')
    await office.database.pool.query('delete from redirect_sign_ins')
    expect(await office.keys('status', settingsOf('use-again'))).toContain(
      'SECRET_KEY_PREVIOUS (number 2) can be taken away',
    )
    const last = settingsOf('forget', { new: KEYS.newer })
    await office.restart(last)
    expect(await office.keys('status', last)).not.toContain('PREVIOUS')
    for (const node of nodes) await scene.works(node, { isGuestLinkOver: true })
  })

  it('codes, chat tokens and repeated requests pass from node to node while they have different keys', async () => {
    const office = await openNodes({}, { SECRET_KEY: KEYS.old })
    await office.restart(settingsOf('know'), () => bothWays(office))
    await office.restart(settingsOf('use'), () => bothWays(office))
    await office.restart(settingsOf('forget'), () => bothWays(office))
    await bothWays(office)
  })

  it('CHAT_TOKEN_SECRET of its own changes in the same way', async () => {
    const [before, after] = ['chat-before'.repeat(4), 'chat-after'.repeat(4)]
    const office = await openNodes({}, { CHAT_TOKEN_SECRET: before })
    await office.restart({ CHAT_TOKEN_SECRET: before, CHAT_TOKEN_SECRET_NEXT: after })
    await office.restart({ CHAT_TOKEN_SECRET: after, CHAT_TOKEN_SECRET_PREVIOUS: before }, () =>
      bothWays(office),
    )
  })

  it('BASE_URL from http to https: people sign in once more, and nothing else is lost', async () => {
    const office = await openNodes({}, { BASE_URL: 'http://office.example' })
    const { nodes } = office
    const founder = await newFounder(nodes[0])
    const service = { name: 'Payroll', operations: ['listMembers' as const] }
    const { token } = await founder.browser.call('createServiceToken', service)
    const inviteToken = await linkTokenOf(founder)
    await office.restart({ BASE_URL: 'https://office.example' })
    expect((await browserAt(nodes[0], founder).request('getCurrentUser')).status).toBe(401)
    const browser = nodes[0].browser()
    await browser.call('signIn', { email: founder.email })
    let code: string | undefined
    await until(async () => {
      code = (await mailsTo(nodes[0], founder.email)).find((mail) => mail.code)?.code
      return code !== undefined
    })
    await browser.call('finalizeMagicAuth', { email: founder.email, code: code as unknown as string })
    expect((await browser.call('getCurrentUser')).id).toBe(founder.id)
    expect((await nodes[1].program(token).request('listMembers')).status).toBe(200)
    expect(await linkTokenOf({ ...founder, browser })).toBe(inviteToken)
  })
})
