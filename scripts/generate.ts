import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  eventEntries,
  nodeMetrics,
  officeMetrics,
  operationEntries,
  organizationLimits,
} from '@atrium/contract'
import { settings } from '../server/src/configuration/config.ts'
import { readCommandLine } from './command-line.ts'
import { catalogueOf } from './generators/catalogue.ts'
import { configurationReference, exampleEnvironment } from './generators/configuration.ts'
import { eventsReference } from './generators/events.ts'
import type { Generator } from './generators/generator.ts'
import { landedMigrations } from './generators/landed-migrations.ts'
import { limitsReference } from './generators/limits.ts'
import { metricsReference } from './generators/metrics.ts'
import { openApi } from './generators/openapi.ts'
import { operationsReference } from './generators/operations.ts'
import { schemaRevision } from './generators/schema-revision.ts'
import { wireTable } from './generators/wire-table.ts'

const USAGE = `npm run generate [-- --check]

Writes the files that are made from others.
  --check  writes nothing, names what is stale, and fails`

const ROOT = join(import.meta.dirname, '..')
const MIGRATIONS = join(ROOT, 'server/migrations')

const { values } = readCommandLine({ usage: USAGE, options: { check: { type: 'boolean' } } })
const checkOnly = values.check === true

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const migrations = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => ({ name, text: readFileSync(join(MIGRATIONS, name), 'utf8') }))
const handlers = globSync('server/src/features/**/*.ts', { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()

const GENERATORS: readonly Generator[] = [
  openApi(version),
  operationsReference(operationEntries, handlers),
  configurationReference(settings),
  exampleEnvironment(settings),
  landedMigrations(migrations),
  schemaRevision(),
  catalogueOf(migrations),
  metricsReference(officeMetrics, nodeMetrics),
  eventsReference(eventEntries),
  limitsReference(organizationLimits, settings),
  wireTable(operationEntries),
]

for (const generator of GENERATORS) await bringUpToDate(generator)

async function bringUpToDate({ path, make }: Generator): Promise<void> {
  const current = read(path)
  let text: string
  try {
    text = await make(current)
  } catch (error) {
    fail(`${path}: ${error instanceof Error ? error.message : error}`)
    return
  }
  if (text === current) return
  if (checkOnly) {
    fail(`${path} is ${current === undefined ? 'missing' : 'stale'}: npm run generate`)
    return
  }
  writeFileSync(join(ROOT, path), text)
  console.log(`wrote ${path}`)
}

function read(path: string): string | undefined {
  try {
    // as it is in the repository, whatever a checkout on Windows makes of the ends of lines
    return readFileSync(join(ROOT, path), 'utf8').replaceAll('\r\n', '\n')
  } catch {
    return undefined
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
