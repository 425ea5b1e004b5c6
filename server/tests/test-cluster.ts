import {
  startTemporaryCluster,
  type TemporaryCluster,
} from '../src/platform/embedded-postgres/temporary-cluster.ts'

/** A PostgreSQL of its own: of the version that `npm run test:engines` is at, else of the one that we bring. */
export function testCluster(): Promise<TemporaryCluster> {
  return startTemporaryCluster(undefined, process.env.ATRIUM_TEST_POSTGRES_PACKAGE)
}
