import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackage } from '../debian-packages.ts'
import type { Version } from './version.ts'

const HOME = '/usr/lib/postgresql/15'

/** The oldest PostgreSQL that Atrium promises to work with, as Debian 12 packages it. */
export const debian15: Version = {
  major: '15',
  origin: 'Debian',
  async install() {
    if (existsSync(`${HOME}/bin/postgres`)) return undefined
    return await installPackage('postgresql-15')
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
