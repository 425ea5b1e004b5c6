import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What has been built or brought once is kept for every clone on this machine: in `ATRIUM_ENGINES`, else in the cache
 * folder of the user, else (where that cannot be written) in this clone.
 */
function keptFolder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = process.env.ATRIUM_ENGINES || join(cache, 'atrium-engines')
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return folder
  } catch {
    const own = fileURLToPath(new URL('../.engines', import.meta.url))
    mkdirSync(own, { recursive: true })
    return own
  }
}

/** Where something is kept, whether or not it is there. The name has the version: another one is another folder. */
export function keptAt(name: string, path: string): string {
  return join(keptFolder(), name, path)
}

/**
 * Makes a folder where it is not kept yet: beside its place, and put there when it is whole, so that a run that is
 * broken off, or another one at the same time, never leaves half of it.
 * @param path what must be in it
 */
export async function keep(
  name: string,
  path: string,
  make: (draft: string) => Promise<unknown>,
): Promise<void> {
  const wanted = keptAt(name, path)
  if (existsSync(wanted)) return
  const home = keptAt(name, '')
  const draft = await mkdtemp(join(keptFolder(), `.${name}-`))
  try {
    await make(draft)
    if (!existsSync(join(draft, path))) throw new Error(`${name} was made, but has no ${path}`)
    // another run may have been faster
    if (existsSync(wanted)) return
    await rm(home, { recursive: true, force: true })
    await rename(draft, home)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
