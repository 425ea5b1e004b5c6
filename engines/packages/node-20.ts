import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

const VERSION = '20.20.2'
const NAME = `node-${VERSION}`

/**
 * The oldest Node that the packages are for, from npm. Where there is none for this machine, the Node that runs this:
 * the name of the check says which it was.
 */
export async function bringNode20(): Promise<{ path: string; version: string }> {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const from = `node-${platform}-${process.arch}`
  try {
    await keep(NAME, 'node', async (draft) => {
      const folder = join(draft, 'npm')
      await mkdir(folder)
      await run('npm', ['install', '--no-save', '--no-audit', '--prefix', folder, `${from}@${VERSION}`])
      await copyFile(join(folder, 'node_modules', from, 'bin/node'), join(draft, 'node'))
    })
    return { path: keptAt(NAME, 'node'), version: VERSION }
  } catch {
    return { path: process.execPath, version: process.versions.node }
  }
}
