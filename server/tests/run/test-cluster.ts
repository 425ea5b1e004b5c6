import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { startTemporaryCluster, type TemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'

/** A file system in memory: a database is cloned there with a third of the processor time. */
const MEMORY = '/dev/shm'
/** A whole run needs a quarter of it. Containers often have 64 MB there. */
const ENOUGH_BYTES = 2 * 1024 ** 3

/** A PostgreSQL of its own: of the version that `npm run test:engines` is at, else of the one that we bring. */
export async function testCluster(): Promise<TemporaryCluster> {
  const parent = (await hasRoom(MEMORY)) ? MEMORY : tmpdir()
  return await startTemporaryCluster(undefined, process.env.ATRIUM_TEST_POSTGRES_PACKAGE, parent)
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}
