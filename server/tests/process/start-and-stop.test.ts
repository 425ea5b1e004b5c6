import { chown } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/platform/version.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { until } from '../until.ts'
import {
  canBecomeNobody,
  ENTRY,
  hasListener,
  NOBODY,
  openProcessHarness,
  postgresOf,
  signUpAt,
} from './office-process.ts'

const harness = openProcessHarness()
afterEach(() => harness.clear())

describe('an office that is started', () => {
  it('opens on an empty folder from anywhere, says where everything is, and leaves nothing running', async () => {
    const folder = await harness.folder()
    const office = await harness.serve({
      cwd: folder,
      settings: { DATA_DIR: join(folder, 'data'), ATRIUM_ENV: 'development' },
    })
    const said = office.stdout().split('\n')
    expect(office.url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(said).toEqual([
      `Atrium ${VERSION} is open at ${office.url}  (development)`,
      `  Reference  ${office.url}/docs`,
      `  Mailbox    ${office.url}/sandbox/mail  (mails of this office land here)`,
      expect.stringContaining(`  Ways in    ${office.url}/sandbox/sign-in`),
      `  Data       embedded PostgreSQL in ${folder}/data/postgres`,
      expect.stringMatching(/^ {2}Sign in {4}curl .*\/auth\/dev-sign-in$/),
      expect.stringContaining('POST /auth/finalize-magic-auth'),
      'Stop it with Ctrl-C.',
      '',
    ])
    // the web office is built at the first start of a clone, and refused meanwhile
    await until(async () => (await fetch(office.url)).status === 200)
    for (const path of ['/docs', '/openapi.json', '/sandbox/mail', '/health/live'])
      expect([path, (await fetch(office.url + path)).status]).toEqual([path, 200])
    // a new cluster is still being written to the disk: its answer may take longer than readiness waits
    await until(async () => (await fetch(`${office.url}/health/ready`)).status === 200)
    expect(office.stderr()).toBe('')

    const postgres = await postgresOf(join(folder, 'data'))
    expect(postgres).toBeDefined()
    expect(await office.stop()).toEqual({ code: 0, signal: null })
    expect(office.stderr()).toBe('')
    expect(await postgresOf(join(folder, 'data'))).toBeUndefined()
    expect(await hasListener(Number(new URL(office.url).port))).toBe(false)
    expect(await hasListener(postgres?.port ?? 0)).toBe(false)
  })

  it('has what it had when it is opened again', async () => {
    const folder = await harness.folder()
    const first = await harness.serve({ settings: { DATA_DIR: folder } })
    const guest = await signUpAt(first.url)
    await guest.browser.call('createOrganization', { name: 'Kept' })
    await first.stop()
    const second = await harness.serve({ settings: { DATA_DIR: folder } })
    const answer = await fetch(`${second.url}/api/v1/organizations/list`, {
      method: 'POST',
      headers: { cookie: guest.cookie() },
    })
    expect(await answer.json()).toMatchObject([{ organizationName: 'Kept', userRole: 'admin' }])
  })

  it.skipIf(!canBecomeNobody)('works for an ordinary user (needs root to become one)', async () => {
    const folder = await harness.folder()
    await chown(folder, NOBODY.uid, NOBODY.gid)
    const office = await harness.serve({ user: NOBODY, settings: { DATA_DIR: folder } })
    await signUpAt(office.url)
    expect(await office.stop()).toEqual({ code: 0, signal: null })
    expect(await postgresOf(folder)).toBeUndefined()
  })
})

describe('an office that is told to stop', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  const serve = () => harness.serve({ settings: { DATABASE_URL: database.connectionString } })
  const waiting = async () => {
    const { rows } = await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }

  it('answers what is under way, takes nothing new, and ends well', async () => {
    const office = await serve()
    // of several people: one alone holds a share of the connections only
    const guests = await Promise.all(Array.from({ length: 6 }, () => signUpAt(office.url)))
    const lock = await database.pool.connect()
    await lock.query('begin')
    await lock.query('select from users where email = any($1) for update', [guests.map(({ email }) => email)])
    const updates = guests.map((guest, index) =>
      fetch(`${office.url}/user/update`, {
        method: 'POST',
        headers: { cookie: guest.cookie(), 'content-type': 'application/json' },
        body: JSON.stringify({ displayName: `Name ${index}` }),
      }),
    )
    await expect.poll(waiting).toBe(updates.length)
    office.kill('SIGTERM')
    await expect.poll(() => hasListener(Number(new URL(office.url).port))).toBe(false)
    expect(office.hasEnded()).toBe(false)
    await lock.query('rollback')
    lock.release()
    for (const answer of await Promise.all(updates)) {
      // 503: this machine was so busy that they waited longer than a statement may
      expect([200, 503]).toContain(answer.status)
      expect(await answer.json()).toHaveProperty(answer.status === 200 ? 'displayName' : 'code')
    }
    expect(await office.ended).toEqual({ code: 0, signal: null })
    expect(office.stderr()).toBe('')
  })

  it('takes no answer away from a request that it has begun', async () => {
    const office = await serve()
    const guest = await signUpAt(office.url)
    const load = startLoad(office.url, guest.cookie())
    await expect.poll(() => load.answered()).toBeGreaterThan(200)
    office.kill('SIGTERM')
    expect(await office.ended).toEqual({ code: 0, signal: null })
    await load.end()
    const { rows } = await database.pool.query(`select 1 from organizations where name = 'Load'`)
    expect(rows.length).toBe(load.answered())
  })

  it.each(['SIGINT', 'SIGHUP'] as const)('by %s, even twice, does as by SIGTERM', async (signal) => {
    const office = await serve()
    office.kill(signal)
    office.kill(signal)
    expect(await office.ended).toEqual({ code: 0, signal: null })
  })

  it('closes by itself when the shell of npm is gone, which a SIGTERM to npm ends', async () => {
    const settings = { DATA_DIR: await harness.folder(), npm_lifecycle_event: 'start' }
    // as npm runs a script; the second command keeps the shell from becoming the office itself
    const script = `"${process.execPath}" "${ENTRY}" serve; true`
    const shell = harness.run([script], { node: '/bin/sh', entry: '-c', settings })
    await expect.poll(shell.stdout).toContain('Stop it with Ctrl-C.')
    const port = Number(new URL(/is open at (\S+)/.exec(shell.stdout())?.[1] ?? '').port)
    shell.kill('SIGTERM')
    await expect.poll(() => hasListener(port)).toBe(false)
    await expect.poll(() => postgresOf(settings.DATA_DIR)).toBeUndefined()
  })

  it('closes by itself when its parent is gone', async () => {
    const office = await serve()
    office.letGo()
    expect(await office.ended).toEqual({ code: 0, signal: null })
  })

  it('closes as soon as it is open when its parent is gone by then', async () => {
    const office = harness.run(['serve'], { settings: { DATABASE_URL: database.connectionString } })
    office.letGo()
    expect(await office.ended).toEqual({ code: 0, signal: null })
  })
})

/**
 * Founds organizations, half of them over connections that stay open, until the office stops listening. Which requests
 * an office had begun when it closed its connections its database tells: to a client they look like all others.
 */
function startLoad(url: string, cookie: string) {
  const kept = new Agent({ keepAlive: true })
  const fresh = new Agent()
  let answered = 0
  const ask = (agent: Agent) =>
    new Promise<'answered' | 'refused' | 'cut'>((resolve) => {
      const headers = { cookie, 'content-type': 'application/json' }
      const attempt = request(`${url}/api/v1/organizations/create`, { method: 'POST', agent, headers })
      attempt.on('error', ({ code }: NodeJS.ErrnoException) =>
        resolve(code === 'ECONNREFUSED' ? 'refused' : 'cut'),
      )
      attempt.on('response', (response) => {
        response.resume()
        response.on('error', () => resolve('cut'))
        response.on('end', () => {
          if (response.statusCode === 200) answered += 1
          resolve('answered')
        })
      })
      attempt.end('{"name":"Load"}')
    })
  const lane = async (agent: Agent) => {
    while ((await ask(agent)) !== 'refused');
  }
  const lanes = Promise.all([kept, fresh, kept, fresh, kept, fresh, kept, fresh].map(lane))
  return {
    answered: () => answered,
    async end() {
      await lanes
      kept.destroy()
    },
  }
}
