import { execFileSync } from 'node:child_process'
import { appendFileSync, closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '../fresh-database.ts'
import { databaseOf, ENTRY, type Guest, openProcessHarness, signUpAt } from '../process/office-process.ts'
import { query } from '../run/test-harness.ts'
import { until } from '../until.ts'
import { percentiles, tellFigures } from './figures.ts'
import { type Answer, ask } from './requests.ts'

const RESUMES_WITHIN_MS = 5_000
const SPACE = 'no space|ENOSPC|could not (write|extend)|/tmp/'

const harness = openProcessHarness()
const disks: string[] = []
afterEach(async () => {
  for (const disk of disks) rmSync(join(disk, 'filler'), { force: true })
  await harness.clear().catch(() => {})
  for (const disk of disks.splice(0)) execFileSync('umount', ['-l', disk])
  await harness.clear()
})

const canMount = (() => {
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
})()

/** A small disk of its own. */
async function openDisk(megabytes: number): Promise<string> {
  const disk = join(await harness.folder(), 'disk')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', disk])
  disks.push(disk)
  return disk
}

/** To the last byte. */
function fill(disk: string): void {
  const file = openSync(join(disk, 'filler'), 'a')
  for (const size of [1_048_576, 4_096, 1]) {
    const chunk = Buffer.alloc(size)
    try {
      for (;;) writeSync(file, chunk)
    } catch {
      // there is no room for one more
    }
  }
  closeSync(file)
  expect(statfsSync(disk).bavail).toBe(0)
}

const free = (disk: string) => rmSync(join(disk, 'filler'))

const make = (url: string, guest: Guest, name: string) =>
  ask(url, { path: '/api/v1/organizations/create', body: { name }, cookie: guest.cookie() })

describe.skipIf(!canMount)('a disk that is full (needs root to mount one)', () => {
  it('under the data is told in general words, ends no office, and is forgotten once there is room', async (context) => {
    const disk = await openDisk(500)
    const office = await harness.serve({ settings: { DATA_DIR: disk, DATABASE_WAIT_MS: '10000' } })
    const guest = await signUpAt(office.url)
    const acknowledged: string[] = []
    const answers: Answer[] = []
    const write = async (n: number) => {
      const answer = await make(office.url, guest, `Room ${n}`)
      answers.push(answer)
      if (answer.status === 200) acknowledged.push(`Room ${n}`)
      return answer
    }
    expect((await write(0)).status).toBe(200)
    fill(disk)
    // the log of the database wants another file, for which there is no room
    await query(await databaseOf(disk), 'select pg_switch_wal()').catch(() => {})
    let n = 1
    await until(async () => (await write(n++)).status !== 200)
    for (const end = Date.now() + 10_000; Date.now() < end; n++) {
      await write(n)
      await pause(100)
    }
    const ready = await ask(office.url, { path: '/health/ready' })
    free(disk)
    const began = performance.now()
    await until(async () => (await write(n++)).status === 200)
    const resumedMs = performance.now() - began
    const { body } = await ask(office.url, {
      path: '/api/v1/organizations/list',
      body: {},
      cookie: guest.cookie(),
    })
    const names = (JSON.parse(body) as { organizationName: string }[]).map(
      ({ organizationName }) => organizationName,
    )
    const refused = answers.filter(({ status }) => status !== 200)
    tellFigures(context, {
      requests: answers.length,
      refused: refused.length,
      resumedMs,
      lost: acknowledged.filter((name) => !names.includes(name)).length,
      ...percentiles(
        'refused',
        refused.map(({ ms }) => ms),
      ),
    })
    for (const { status, body: said } of refused) {
      expect([500, 503]).toContain(status)
      expect(said).not.toMatch(new RegExp(SPACE, 'i'))
    }
    expect(ready.status).toBe(503)
    expect(names).toEqual(expect.arrayContaining(acknowledged))
    expect(office.hasEnded()).toBe(false)
    expect(resumedMs).toBeLessThan(RESUMES_WITHIN_MS)
  })

  it('under the log costs lines, and no request', async (context) => {
    const disk = await openDisk(2)
    const database = await freshDatabase()
    const port = await freePort()
    const settings = { DATABASE_URL: database.connectionString, PORT: String(port), LOG_LEVEL: 'info' }
    const log = join(disk, 'log')
    const script = `exec "${process.execPath}" "${ENTRY}" serve >> "${log}" 2>&1`
    const office = harness.run([script], { node: '/bin/sh', entry: '-c', settings })
    const url = `http://127.0.0.1:${port}`
    await until(async () => (await ask(url, { path: '/health/ready' })).status === 200)
    const guest = await signUpAt(url)
    fill(disk)
    const answers: Answer[] = []
    for (let n = 0; n < 200; n++) answers.push(await make(url, guest, `Room ${n}`))
    const silent = (await readFile(log, 'utf8')).length
    free(disk)
    await until(async () => {
      answers.push(await make(url, guest, 'There is room'))
      return (await readFile(log, 'utf8')).length > silent
    })
    const failed = answers.filter(({ status }) => status !== 200)
    tellFigures(context, { logRequests: answers.length, logFailed: failed.length })
    expect(failed).toEqual([])
    expect(office.hasEnded()).toBe(false)
    office.kill('SIGTERM')
    expect((await office.ended).code).toBe(0)
    appendFileSync(log, '')
    await database.drop()
  })
})
