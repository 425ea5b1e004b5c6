import type { AddressInfo } from 'node:net'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { freshEmail } from '../office.ts'
import { hasListener, type OfficeProcess, openProcessHarness } from './office-process.ts'

/** What must never be printed, each where it belongs. */
const CANARY = {
  key: 'canary-q7ZtR2vXk9LmW4sBfN8cHyD3pGjT6uAe1oKx5',
  mailPassword: 'canary-of-the-mail-password',
  cookie: 'canary-of-a-cookie',
  authorization: 'canary-of-the-authorization',
  query: 'canary-of-a-query',
  code: 'canary-of-a-code',
  body: 'canary-of-a-body',
  mailServer: 'canary-of-the-mail-server',
}

const harness = openProcessHarness()
const mails: { to: string; text: string }[] = []
let refusing = false
let mailServer: SMTPServer
let database: FreshDatabase
let office: OfficeProcess
let base: string

beforeAll(async () => {
  mailServer = await startMailServer()
  database = await freshDatabase()
  const port = await freePort()
  const { port: mailPort } = mailServer.server.address() as AddressInfo
  base = `http://127.0.0.1:${port}`
  office = await harness.serve({
    settings: {
      ATRIUM_ENV: 'production',
      LOG_LEVEL: 'trace',
      PORT: String(port),
      HOST: '127.0.0.1',
      BASE_URL: 'https://office.example',
      SECRET_KEY: CANARY.key,
      DATABASE_URL: database.connectionString,
      SMTP_URL: `smtp://office:${CANARY.mailPassword}@127.0.0.1:${mailPort}`,
      MAIL_FROM: 'Office <office@office.example>',
    },
  })
})
afterAll(async () => {
  await harness.clear()
  await new Promise<void>((resolve) => mailServer.close(() => resolve()))
  await database.drop()
})

async function startMailServer(): Promise<SMTPServer> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      done(password === CANARY.mailPassword ? null : new Error('no'), { user: 'office' }),
    onRcptTo: ({ address }, _session, done) =>
      done(
        refusing ? Object.assign(new Error(`${CANARY.mailServer} ${address}`), { responseCode: 451 }) : null,
      ),
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const { text = '' } = await PostalMime.parse(Buffer.concat(chunks))
      mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', text })
      done()
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return server
}

const post = (path: string, body: object | string, headers: Record<string, string> = {}) =>
  fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

async function codeMailedTo(email: string): Promise<string> {
  await expect.poll(() => mails.some(({ to }) => to === email)).toBe(true)
  const code = /\b\d{6}\b/.exec(mails.findLast(({ to }) => to === email)?.text ?? '')?.[0]
  if (!code) throw new Error('the mail carries no code')
  return code
}

/** Signs up as a person does who reads the mail; answers everything secret about it. */
async function signUp(email = freshEmail()) {
  expect((await post('/auth/sign-up', { email })).status).toBe(201)
  const code = await codeMailedTo(email)
  const answer = await post('/auth/finalize-magic-auth', { email, code })
  expect(answer.status).toBe(200)
  const [setCookie = ''] = answer.headers.getSetCookie()
  return { email, code, setCookie, cookie: setCookie.split(';')[0] ?? '' }
}

describe('an office in production', () => {
  it('has no door of development', async () => {
    for (const [method, path] of [
      ['POST', '/auth/dev-sign-in'],
      ['GET', '/sandbox/mail'],
    ] as const) {
      const answer = await fetch(base + path, { method, headers: { accept: 'application/json' } })
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.json()).toMatchObject({ code: 404, error: 'not-found' })
    }
    expect(await (await fetch(base, { headers: { accept: 'text/html' } })).text()).not.toMatch(
      /sandbox|mailbox/i,
    )
    expect(office.stdout()).not.toMatch(/sandbox|dev-sign-in/)
  })

  it('mails codes, and keeps sessions in a cookie that only https and only this host has', async () => {
    const { setCookie, cookie } = await signUp()
    expect(setCookie).toMatch(/^__Host-atrium_session=ats_[\w-]{43};/)
    expect(setCookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      expect.stringMatching(/^Max-Age=\d+$/),
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ])
    const answer = await post('/user/get', {}, { cookie })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
    expect((await post('/user/get', {}, { cookie: cookie.replace('__Host-', '') })).status).toBe(401)
  })

  it('prints no secret, in success and failure, even at the level of all details', async () => {
    const person = await signUp()
    const secrets = { cookie: person.cookie, authorization: `Basic ${CANARY.authorization}` }
    await expectStatuses(secrets, person.email)
    await failOnPurpose(secrets, person.email)
    await expect.poll(() => linesOf(office).some(({ msg }) => msg === 'request failed')).toBe(true)
    await expect
      .poll(() => linesOf(office).some(({ msg }) => msg === 'work failed, to be tried again'))
      .toBe(true)

    const printed = office.stdout() + office.stderr()
    expect(printed).toContain('/auth/finalize-magic-auth')
    const { password } = new URL(database.connectionString)
    const values = [...Object.values(CANARY), password, person.cookie.split('=')[1] ?? '']
    expect(values.every((value) => value.length > 10)).toBe(true)
    expect(values.filter((value) => printed.includes(value))).toEqual([])
    expect(printed).not.toMatch(new RegExp(`(?<!\\d)${person.code}(?!\\d)`))
    expect(printed).not.toContain(person.email)
  })

  it('prints JSON once it has said where it is', () => {
    const lines = office.stdout().trim().split('\n')
    const said = lines.filter((line) => !line.startsWith('{'))
    expect(said).toEqual([
      expect.stringMatching(/^Atrium \S+ is open at https:\/\/office\.example {2}\(production\)$/),
      '  Reference  https://office.example/docs',
      expect.stringMatching(/^ {2}Data {7}PostgreSQL \d+ at /),
      'Stop it with Ctrl-C.',
    ])
    for (const line of linesOf(office))
      expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(Number) })
    expect(office.stderr()).toBe('')
  })

  it('tells balancers that it will close, serves until they know, and closes', async () => {
    office.kill('SIGTERM')
    const ready = async () => (await fetch(`${base}/health/ready`)).json()
    await expect.poll(ready).toMatchObject({ status: 'draining' })
    expect((await fetch(`${base}/health/ready`)).status).toBe(503)
    const live = await fetch(`${base}/health/live`)
    // who keeps connections lets go of them now, and not when there are no more answers
    expect([live.status, live.headers.get('connection')]).toEqual([200, 'close'])
    expect((await post('/user/get', {})).status).toBe(401)
    expect(await office.ended).toEqual({ code: 0, signal: null })
    expect(await hasListener(Number(new URL(base).port))).toBe(false)
  })
})

function linesOf(running: OfficeProcess): { msg?: string }[] {
  const lines = running.stdout().split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}

async function expectStatuses(secrets: Record<string, string>, email: string): Promise<void> {
  const query = `?token=${CANARY.query}&code=${CANARY.query}`
  const planted = { ...secrets, cookie: `__Host-atrium_session=${CANARY.cookie}` }
  const statusOf = async (asked: Promise<Response>) => (await asked).status
  expect(await statusOf(post(`/user/get${query}`, {}, secrets))).toBe(200)
  expect(await statusOf(post('/user/update', { displayName: CANARY.body }, secrets))).toBe(200)
  expect(await statusOf(post(`/user/get${query}`, {}, planted))).toBe(401)
  expect(await statusOf(post('/auth/finalize-magic-auth', { email, code: CANARY.code }, secrets))).toBe(400)
  expect(await statusOf(post('/auth/finalize-magic-auth', `{"code":"${CANARY.code}`, secrets))).toBe(400)
  expect(await statusOf(post('/auth/sign-up', { email: CANARY.body }, secrets))).toBe(400)
  expect(await statusOf(post('/user/update', CANARY.body.repeat(20_000), secrets))).toBe(413)
  expect(await statusOf(fetch(`${base}/${CANARY.query}${query}`, { headers: secrets }))).toBe(404)
  expect(await statusOf(fetch(`${base}/%zz${CANARY.query}${query}`, { headers: secrets }))).toBe(400)
  const foreign = { ...secrets, origin: `https://elsewhere.example` }
  expect(await statusOf(post('/user/get', {}, foreign))).toBe(403)
}

/** A defect, a database that cuts connections, and a mail server that does not take a code. */
async function failOnPurpose(secrets: Record<string, string>, email: string): Promise<void> {
  const name = { displayName: CANARY.body }
  await database.pool.query('alter table users rename column display_name to elsewhere')
  expect((await post('/user/update', name, secrets)).status).toBe(500)
  await database.pool.query('alter table users rename column elsewhere to display_name')
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await database.pool.query(cut).catch(() => {})
  const requests = Array.from({ length: 10 }, () => post('/user/update', name, secrets))
  for (const answer of await Promise.all(requests)) expect([200, 503]).toContain(answer.status)
  refusing = true
  const resent = async () => (await post('/auth/resend-magic-auth', { email }, secrets)).status
  await expect.poll(resent).toBe(200)
}
