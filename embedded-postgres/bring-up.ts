import { setTimeout as pause } from 'node:timers/promises'
import { EmbeddedPostgresFailure } from './failure.ts'
import { freePort } from './free-port.ts'
import { dataOf, type Placement } from './placement.ts'
import { findServer } from './postmaster-file.ts'
import { adoptServer, endsWithin, launchServer, type ServerProcess } from './server-process.ts'

/** How long a server that is ending may take before a start gives up waiting for it. */
const ENDING_LIMIT_MS = 60_000
/** How long we try again where the reason of a failed launch passes by itself. */
const PASSING_LIMIT_MS = 30_000

/** Another process has taken the port, another start was faster, or old backends have not gone yet. */
const PASSING =
  /could not bind|could not create any TCP\/IP|lock file "postmaster\.pid" already exists|lock file .* is empty|pre-existing shared memory block/

/**
 * Has PostgreSQL running on the cluster of `place`: adopts a server that lives there, waits for one that is ending, and
 * launches one where there is none. With `port` only on that port, else on a free one.
 * `answers` is asked whether a found server takes our password. Throws EmbeddedPostgresFailure.
 */
export async function bringUp(
  place: Placement,
  settings: Record<string, string>,
  answers: (port: number) => Promise<boolean>,
  port?: number,
): Promise<ServerProcess> {
  const deadline = Date.now() + PASSING_LIMIT_MS
  for (;;) {
    const running = await adoptRunning(place, answers)
    if (running !== undefined) return running
    const launched = await launchServer(place, port ?? (await freePort()), settings)
    if ('pid' in launched) return launched
    if (!PASSING.test(launched.output) || Date.now() > deadline) throw startFailure(place, launched.output)
    await pause(100)
  }
}

async function adoptRunning(
  place: Placement,
  answers: (port: number) => Promise<boolean>,
): Promise<ServerProcess | undefined> {
  const data = dataOf(place.home)
  const deadline = Date.now() + ENDING_LIMIT_MS
  for (;;) {
    const found = await findServer(data)
    if (found === undefined) return undefined
    if (found.status === 'ready' && (await answers(found.port)))
      return adoptServer(found.pid, found.port, data)
    // Only Linux tells for sure that this process is the server; elsewhere another may have its number by now.
    if (process.platform !== 'linux' && found.status === 'ready') return undefined
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresFailure(
        `A PostgreSQL (process ${found.pid}) is ${found.status ?? 'busy'} on ${data} and does not come to an end. Stop it.`,
      )
    }
    await endsWithin(adoptServer(found.pid, found.port, data), 50)
  }
}

function startFailure(place: Placement, output: string): EmbeddedPostgresFailure {
  const full = /no space left|check free disk space/i.test(output) ? ' because the disk is full' : ''
  return new EmbeddedPostgresFailure(`PostgreSQL could not start on ${place.home}${full}: ${output}`)
}
