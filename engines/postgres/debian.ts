import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../commands.ts'
import type { Version } from './version.ts'

const HOME = '/usr/lib/postgresql/15'

/** The oldest PostgreSQL that Atrium promises to work with, as Debian 12 packages it. */
export const debian15: Version = {
  major: '15',
  origin: 'Debian',
  async install() {
    if (existsSync(`${HOME}/bin/postgres`)) return undefined
    if (process.getuid?.() !== 0) return 'PostgreSQL 15 is not installed, and only root can install it'
    try {
      await run('apt-get', ['update', '-q'])
      await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'postgresql-15'], {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      })
    } catch (error) {
      return `the package postgresql-15 cannot be installed: ${(error as Error).message.split('\n')[0]}`
    }
    return undefined
  },
  async packageRoot(ends) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-postgres-15-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    // started by root, PostgreSQL runs as another user, who must be able to get there
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: '15-debian' }))
    await symlink(HOME, join(folder, 'native'))
    return folder
  },
}
