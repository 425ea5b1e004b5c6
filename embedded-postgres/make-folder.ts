import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { codeOf } from './failure.ts'

/**
 * Makes a folder and those above it, where missing. In place of `mkdir` with `recursive`, by which Node tries for ever, and
 * holds a processor meanwhile, where a folder is there and takes none, saying ENOENT: in `/proc`, or where disks are
 * mounted when they are asked for.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const missing: string[] = []
  for (let at = resolve(path); !(await isFolder(at)); at = dirname(at)) missing.unshift(at)
  for (const folder of missing)
    await mkdir(folder, { mode }).catch(async (error: unknown) => {
      // another process was faster
      if (codeOf(error) !== 'EEXIST' || !(await isFolder(folder))) throw error
    })
}

/** False where there is nothing, or a file: what is made in its place says so. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false
    throw error
  }
}
