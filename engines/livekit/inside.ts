import assert from 'node:assert/strict'
import { writeSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dispose } from '@livekit/rtc-node'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { REPORTS, type Reported } from './livekit.ts'
import { colleague, OFFICE_URL, openOffice } from './office.ts'
import { enter, until } from './people.ts'
import { type LivekitServer, livekitServer } from './server.ts'
import { setScene, tokenOf, tryExpiry, tryPuttingOut, tryVisit } from './visit.ts'

/** Runs in the network of its own: server, office and clients. Reports each check as a line of JSON. */

const report = (line: Reported) => writeSync(REPORTS, `${JSON.stringify(line)}\n`)
const check: Check = async (name, work) => {
  report({ name, is: 'begun' })
  try {
    await work()
    report({ name, is: 'passed' })
  } catch (error) {
    report({
      name,
      is: 'failed',
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
}

const folder = await mkdtemp(join(tmpdir(), 'atrium-livekit-'))
// started by root, the embedded database runs as another user, who must be able to get there
await chmod(folder, 0o755)
const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
try {
  const server = livekitServer(`${OFFICE_URL}/webhook`)
  await server.start()
  ends.push(() => server.stop())
  await openOffice(folder, ends)
  await check('the office finds it', async () => {
    const health = await (await fetch(`${OFFICE_URL}/health/ready`)).json()
    assert.equal((health as { parts: Record<string, string> }).parts.media, 'ok')
  })
  const expired = await tryExpiry()
  await tryVisit(check)
  await tryPuttingOut(check)
  await check('a link of one minute ends after one minute, for who is inside too', expired)
  await tryCrash(server)
} finally {
  await dispose()
  for (const end of ends.reverse()) await end()
}
process.exit(0)

async function tryCrash(server: LivekitServer): Promise<void> {
  const { ada, roomId } = await setScene()
  const grace = await colleague(ada)
  const before = await enter(await tokenOf(ada, roomId))
  await check('a server that was killed: 503 while it is away, and rooms open again after', async () => {
    await server.kill()
    const refused = await ada.client.request('authorizeRoom', { username: 'Ada', roomId })
    assert.equal(refused.status, 503)
    await server.start()
    const second = await enter(await tokenOf(grace, roomId))
    assert.ok(second.room.isConnected)
    await until('the first one finds back by themself', () => second.sees(ada.id))
    await second.leave()
    await before.leave()
  })
}
