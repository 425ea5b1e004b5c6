import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dispose } from '@livekit/rtc-node'
import { reportingCheck } from '../own-network.ts'
import type { Ends } from '../processes.ts'
import { within } from '../waiting.ts'
import { tryCrash, tryKilledClient, tryOutage } from './accidents.ts'
import { tryCounts, tryNeverComing } from './counts.ts'
import { tryIntruders } from './intruders.ts'
import { OFFICE_URL, openOffice } from './office.ts'
import { livekitServer } from './server.ts'
import { tryExpiry, tryPuttingOut, tryVisit } from './visit.ts'

/** Runs in the network of its own: server, office and clients. Reports each check as a line of JSON. */

const CHECK_WITHIN_MS = 3 * 60_000
const DISPOSED_WITHIN_MS = 10_000

const check = reportingCheck(CHECK_WITHIN_MS)

const folder = await mkdtemp(join(tmpdir(), 'atrium-livekit-'))
// started by root, the embedded database runs as another user, who must be able to get there
await chmod(folder, 0o755)
const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
try {
  const server = livekitServer(`${OFFICE_URL}/webhook`)
  await server.start()
  ends.push(() => server.stop())
  const office = await openOffice(folder, ends)
  await check('the office finds it', async () => {
    const health = await (await fetch(`${OFFICE_URL}/health/ready`)).json()
    assert.equal((health as { parts: Record<string, string> }).parts.media, 'ok')
  })
  // what takes a minute begins first
  const [expired, gaveUp, noticed] = [await tryExpiry(), await tryNeverComing(), await tryKilledClient()]
  await tryVisit(check)
  await tryPuttingOut(check)
  await tryIntruders(check)
  await tryCounts(check)
  await check('a client that was killed while it spoke is not counted any more', noticed)
  await check(
    'a link of one minute ends after one minute for who waits, and not for who was admitted',
    expired,
  )
  await check('who never gets beyond the signalling is given up, and was never counted', gaveUp)
  await tryCrash(check, server)
  await tryOutage(check, server, office)
} finally {
  // a client that hangs would keep the office and the media server alive for ever
  await within('the clients end', dispose(), DISPOSED_WITHIN_MS).catch(console.error)
  for (const end of ends.reverse()) await end()
}
process.exit(0)
