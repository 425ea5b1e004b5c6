import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from '../scripts/command-line.ts'
import { prepareOwnOffice } from './own-office.ts'
import { makeWhatStays } from './what-stays.ts'

readCommandLine({
  usage: `npx node acceptance/keep-release.ts

Keeps an archive of the release that is checked out, as its own atrium backup writes it, of an office in which the
walks of acceptance have lived, and something of each kind has stayed. Every later release is tested to bring it to
its own schema (docs/operations/release.md). It takes no arguments.`,
})

const ROOT = join(import.meta.dirname, '..')
const RELEASES = 'server/tests/fixtures/releases'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const folder = join(ROOT, RELEASES, version)
if (existsSync(folder)) {
  console.error(`${RELEASES}/${version} is kept already`)
  process.exit(1)
}

const office = await prepareOwnOffice()
try {
  await office.start()
  await walk(office.url)
  await makeWhatStays(office, office)
  console.log(await office.command('backup', folder))
} finally {
  await office.remove()
}

async function walk(url: string): Promise<void> {
  const walks = spawn(process.execPath, ['acceptance/run.ts', '--url', url], { cwd: ROOT, stdio: 'inherit' })
  const [code] = await once(walks, 'exit')
  if (code !== 0) throw new Error('the walks have failed: of such an office no archive is kept')
}
