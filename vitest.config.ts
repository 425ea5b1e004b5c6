import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{acceptance,contract,client,server,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.atrium/**'],
    // one PostgreSQL for the whole run; every test file clones its own databases from a migrated template
    globalSetup: ['server/tests/global-setup.ts'],
    pool: 'forks',
    // the server is loaded once for each worker, not once for each file: that was half of all the processor time
    isolate: false,
    maxWorkers: 2,
    // tests wait for what they expect, generously: a busy machine must not make them fail
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    restoreMocks: true,
  },
})
