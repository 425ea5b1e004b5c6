import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './server/tests/run/longest-first.ts'
import { RetriedTests } from './server/tests/run/retried-tests.ts'

// workers, and offices that tests start, compile the libraries once and not each for itself
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/vitest-compiled', import.meta.url),
)

/**
 * More than the two processors that this is made for: half of what tests take is waiting, which leaves a processor to
 * others. A worker comes to hold a gigabyte.
 */
const WORKERS = totalmem() >= 12 * 1024 ** 3 ? 5 : 3

const NOT_OURS = ['**/node_modules/**', '**/.atrium/**']
/** Trials of faults that take minutes, or fill disks: `npx node scripts/test-faults.ts` runs them. */
const FAULTS = ['server/tests/faults/**/*.test.ts']
/** What starts processes again and again, or takes long to try the same once more: `npm run test:engines process`. */
const PROCESSES = [
  'server/tests/process/**/*.test.ts',
  'server/tests/trials/**/*.test.ts',
  'embedded-postgres/**/*.test.ts',
  // films of what is said and shown in real time
  'embedded-media/recording/film.test.ts',
  'embedded-media/process/make-film.test.ts',
  'scripts/release.test.ts',
  'scripts/command-lines.test.ts',
  // the image check, in the same process, forbids the library every format but its own
  'demo/drawn-person.test.ts',
]

/** One PostgreSQL for the whole run; every test file clones its own databases from a migrated template. */
const DATABASE = {
  globalSetup: ['server/tests/run/global-setup.ts'],
  setupFiles: ['server/tests/run/patient-connections.ts'],
}

export default defineConfig({
  test: {
    pool: 'forks',
    // the server is loaded once for each worker, not once for each file: that was half of all the processor time
    isolate: false,
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new RetriedTests()],
    // tests wait for what they expect, generously: a busy machine must not make them fail
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000, interval: 20 } },
    restoreMocks: true,
    // the report of `test:engines process` has no other place for what differs
    chaiConfig: { truncateThreshold: 4_000 },
    projects: [
      // `npm test`
      {
        extends: true,
        test: {
          ...DATABASE,
          name: 'office',
          include: [
            '{acceptance,bench,contract,demo,client,embedded-broker,embedded-media,engines,image-check,server,scripts,web}/**/*.test.ts',
          ],
          exclude: [...NOT_OURS, ...PROCESSES, ...FAULTS],
        },
      },
      // `npm run check`: no database, and part of `npm test` as well
      {
        extends: true,
        test: {
          name: 'structure',
          include: ['{bench,contract,demo,scripts,web}/**/*.test.ts', 'server/tests/structure/**/*.test.ts'],
          exclude: [...NOT_OURS, ...PROCESSES],
          pool: 'threads',
        },
      },
      { extends: true, test: { ...DATABASE, name: 'process', include: PROCESSES, exclude: NOT_OURS } },
      { extends: true, test: { ...DATABASE, name: 'faults', include: FAULTS, exclude: NOT_OURS } },
    ],
  },
})
