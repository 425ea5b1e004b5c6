import { defineConfig } from 'vitest/config'

// What `npm run check` runs: tests that need no database. They are part of `npm test` as well.
// biome-ignore lint/style/noDefaultExport: the form that Vitest reads
export default defineConfig({
  test: {
    include: [
      'server/tests/structure/**/*.test.ts',
      'contract/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
      'web/**/*.test.ts',
    ],
    // what starts processes again and again: `npm run test:engines process`
    exclude: [
      '**/node_modules/**',
      '**/.atrium/**',
      'scripts/release.test.ts',
      'scripts/command-lines.test.ts',
    ],
    pool: 'threads',
    // these tests share nothing but what they read, which is read only once so
    isolate: false,
    testTimeout: 120_000,
  },
})
