import { connect, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { readConfig } from '../../configuration/config.ts'
import type { Log } from '../../platform/log.ts'
import { awaitDatabase, checkDatabase, openOfficeDatabase } from './office-database.ts'

const RECOVERING = 'the database system is not yet accepting connections'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/**
 * The database behind a server that first answers as one in crash recovery does, `refusals` times.
 * @returns the address of it
 */
async function recoveringDatabase(refusals: number, code = '57P03'): Promise<{ url: string; port: number }> {
  const real = new URL(database.connectionString)
  const open = new Set<Socket>()
  let left = refusals
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    if (left-- > 0) {
      socket.once('data', () => socket.end(errorResponse(code, RECOVERING)))
      return
    }
    const upstream = connect(Number(real.port), real.hostname)
    open.add(upstream)
    upstream.on('error', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as { port: number }
  const url = new URL(real)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { url: url.href, port }
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, ErrorResponse */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

function recordedWarnings() {
  const warnings: string[] = []
  return { warnings, log: { warn: (text: string) => warnings.push(text) } as unknown as Log }
}

describe('the database of an office', () => {
  it('is waited for while it recovers from a crash, which is said once', async () => {
    const { url, port } = await recoveringDatabase(3)
    const { warnings, log } = recordedWarnings()
    const config = readConfig({ ATRIUM_ENV: 'test', DATABASE_URL: url }, '/nowhere')
    const opened = await openOfficeDatabase(config, log, () => ({ pid: process.pid }))
    expect(opened.about).toMatch(new RegExp(`^PostgreSQL \\d+ at 127\\.0\\.0\\.1:${port}/`))
    expect(warnings).toEqual([
      `The database at 127.0.0.1:${port}${new URL(url).pathname} takes no connections yet: ${RECOVERING}. ` +
        'It is waited for, for 60 seconds.',
    ])
  })

  it('is given up where it does not come, and DATABASE_URL is not blamed', async () => {
    const { url } = await recoveringDatabase(Number.POSITIVE_INFINITY)
    const { warnings, log } = recordedWarnings()
    const refused = awaitDatabase(url, log, 300)
    await expect(refused).rejects.toThrow(/takes no connections yet: .*accepting connections\.$/)
    expect(warnings).toHaveLength(1)
  })

  it('is not waited for where something else is wrong', async () => {
    const { url } = await recoveringDatabase(1, '28P01')
    const { warnings, log } = recordedWarnings()
    await expect(awaitDatabase(url, log)).rejects.toThrow(/cannot be used: .* Check DATABASE_URL\.$/)
    expect(warnings).toEqual([])
  })

  it('is asked once where a command only looks', async () => {
    const { url } = await recoveringDatabase(1)
    await expect(checkDatabase(url)).rejects.toThrow('takes no connections yet')
    expect(await checkDatabase(url)).toMatch(/^PostgreSQL \d+ at /)
  })
})
