import { join } from 'node:path'
import { eraseFromExports } from '../../../features/exports/erase.ts'
import { exportQueue } from '../../../features/exports/export-queue.ts'
import { serveExportRoutes } from '../../../features/exports/routes.ts'
import { purgeExports } from '../../../features/exports/store.ts'
import { DAY_SECONDS, HOUR_MS, secondsAfter } from '../../../platform/clock.ts'
import { archiveChapters } from '../../from-features/archive-chapters.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'
import type { Uploads } from '../ports/uploads.ts'
import type { Invitations } from './invitations.ts'

const MONTH_SECONDS = 30 * DAY_SECONDS

/** Archives of people and organizations, made in the background. */
export function openExports(
  { config, clock }: Opening,
  given: { databases: Databases; uploads: Uploads; invitations: Invitations },
): Part & { needs: Record<string, never> } {
  const { background: db, snapshots } = given.databases
  const { storage, downloadGate } = given.uploads
  const chapters = archiveChapters(given.invitations.needs)
  const folder = join(config.dataDir, 'exports')
  const purge = () => purgeExports(db, secondsAfter(clock.now(), -MONTH_SECONDS))
  return {
    needs: {},
    queues: [exportQueue({ db, snapshots, clock, storage, chapters, folder })],
    jobs: [{ name: 'purge-exports', everyMs: HOUR_MS, run: purge }],
    erasers: [{ name: 'exports', erase: (person) => eraseFromExports({ db, storage }, person) }],
    routes: (server) => serveExportRoutes(server, downloadGate),
  }
}
