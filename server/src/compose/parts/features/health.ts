import { serveHealth } from '../../../features/health/routes.ts'
import { purgeProbesJob } from '../../../features/health/write-check.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'
import type { Mail } from '../ports/mail.ts'
import type { Media } from '../ports/media.ts'
import { type Realtime, SECOND_BROKER } from '../ports/realtime.ts'
import type { Uploads } from '../ports/uploads.ts'

/** Whether the office can do its work, by what its parts say. */
export function openHealth(
  { config }: Opening,
  given: { databases: Databases; mail: Mail; realtime: Realtime; uploads: Uploads; media: Media },
): Part {
  let wasReady = true
  return {
    needs: {},
    measures: () => [{ metric: 'node_ready', value: wasReady ? 1 : 0 }],
    jobs: [purgeProbesJob(given.databases.background)],
    routes(server, { isDraining }) {
      serveHealth(server, {
        pool: given.databases.pool,
        mail: given.mail.mail,
        broker: given.realtime.broker,
        storage: given.uploads.storage,
        storageIsFolder: config.s3 === undefined,
        imageCheck: given.uploads.imageCheck,
        media: given.media.needs.media,
        notThisNode: () => (given.realtime.holdsConnections?.() === false ? SECOND_BROKER : undefined),
        isDraining,
        onAnswered: (isReady) => {
          wasReady = isReady
        },
      })
    },
  }
}
