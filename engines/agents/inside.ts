import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OFFICE_URL, openOffice } from '../livekit/office.ts'
import { LIVEKIT, livekitServer } from '../livekit/server.ts'
import { reportingCheck } from '../own-network.ts'
import type { Ends } from '../processes.ts'
import { walkWorkers } from './walk.ts'
import { WORKER_KINDS } from './workers.ts'

/** Runs in the network of its own: LiveKit, an office and workers. Reports each check as a line of JSON. */

const CHECK_WITHIN_MS = 5 * 60_000

const check = reportingCheck(CHECK_WITHIN_MS)
const folder = await mkdtemp(join(tmpdir(), 'atrium-agents-'))
// started by root, the embedded database runs as another user, who must be able to get there
await chmod(folder, 0o755)
const ends: Ends = [() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })]
try {
  const server = livekitServer(`${OFFICE_URL}/webhook`)
  await server.start()
  ends.push(() => server.stop())
  await openOffice(folder, ends)
  for (const kind of WORKER_KINDS) {
    const ofKind: Ends = []
    const { publicUrl: mediaUrl, apiKey, apiSecret } = LIVEKIT
    const place = { officeUrl: OFFICE_URL, mediaUrl, apiKey, apiSecret, takesOver: false }
    await walkWorkers(kind, place, ofKind, check)
    for (let next = ofKind.pop(); next; next = ofKind.pop()) await next()
  }
} finally {
  for (let next = ends.pop(); next; next = ends.pop()) await next()
}
process.exit(0)
