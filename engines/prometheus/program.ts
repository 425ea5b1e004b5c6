import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'

const FOLDER = fileURLToPath(new URL('../../.engines/prometheus', import.meta.url))

export const PROMETHEUS = join(FOLDER, 'usr/bin/prometheus')
export const PROMTOOL = join(FOLDER, 'usr/bin/promtool')

/**
 * Unpacks Debian's package into a folder of ours: nothing is installed, and no service begins to run.
 * @returns why it cannot be had here
 */
export async function installPrometheus(): Promise<string | undefined> {
  if (existsSync(PROMETHEUS)) return undefined
  await mkdir(FOLDER, { recursive: true })
  const fetchPackage = () => run('apt-get', ['download', '-q', 'prometheus'], { cwd: FOLDER })
  try {
    await fetchPackage().catch(async () => {
      await run('apt-get', ['update', '-q'])
      await fetchPackage()
    })
    const archive = (await readdir(FOLDER)).find((name) => name.endsWith('.deb'))
    if (!archive) return 'the package prometheus was not brought'
    await run('dpkg-deb', ['-x', archive, '.'], { cwd: FOLDER })
    await run(PROMTOOL, ['--version'])
  } catch (error) {
    return `the package prometheus cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}
