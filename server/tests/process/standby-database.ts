import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { giveTo } from '@atrium/embedded-postgres/account.ts'
import { reservePort } from '@atrium/embedded-postgres/free-port.ts'
import { dataOf, findPlacement } from '@atrium/embedded-postgres/placement.ts'
import { endServer, launchServer, type ServerProcess } from '@atrium/embedded-postgres/server-process.ts'
import { query } from '../run/test-harness.ts'
import type { BreakableDatabase } from './breakable-database.ts'

/** A standby that follows a primary by streaming. */
export interface StandbyDatabase {
  connectionString: string
  /** It receives on and shows nothing new: seconds behind, or minutes. */
  lag(): Promise<void>
  catchUp(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

const SILENT = { info() {}, warn() {} }

/** Copies the primary, which stops for it, into another folder, and lets the copy follow it. */
export async function openStandby(
  primary: BreakableDatabase,
  { from, to }: { from: string; to: string },
): Promise<StandbyDatabase> {
  const { hostname: host, port, username: user, password } = new URL(primary.connectionString)
  const { home } = await findPlacement(from, SILENT)
  await primary.stop()
  await cp(home, join(to, 'postgres'), { recursive: true })
  await primary.start()
  const data = dataOf(join(to, 'postgres'))
  await rm(join(data, 'postmaster.pid'), { force: true })
  await writeFile(join(data, 'standby.signal'), '')
  const source = await findPlacement(from, SILENT)
  await giveTo(source.account, data)
  const place = await findPlacement(to, SILENT)
  const reserved = await reservePort()
  await reserved.release()
  const own = new URL(primary.connectionString)
  own.port = String(reserved.port)
  let server: ServerProcess | undefined
  const start = async () => {
    const launched = await launchServer(place, reserved.port, {
      fsync: 'off',
      primary_conninfo: `host=${host} port=${port} user=${user} password=${password}`,
    })
    if (!('pid' in launched)) throw new Error(`the standby did not start: ${launched.output}`)
    server = launched
  }
  await start()
  return {
    connectionString: own.href,
    lag: async () => void (await query(own.href, 'select pg_wal_replay_pause()')),
    catchUp: async () => void (await query(own.href, 'select pg_wal_replay_resume()')),
    async stop() {
      if (server) await endServer(place, server, SILENT)
      server = undefined
    },
    start,
  }
}
