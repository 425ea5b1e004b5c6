import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './commands.ts'

let last: Promise<unknown> = Promise.resolve()

/** Debian's tools refuse to work twice at the same time. */
export function oneAfterTheOther<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.then(work)
  last = mine.catch(() => {})
  return mine
}

/** Installs a package of Debian's. @returns why not, where it cannot be; undefined: it is there */
export async function installPackage(name: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return `the package ${name} is not installed, and only root can install it`
  try {
    await oneAfterTheOther(async () => {
      await run('apt-get', ['update', '-q'])
      await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      })
    })
  } catch (error) {
    return `the package ${name} cannot be installed: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

/** Unpacks a package of Debian's into a folder: nothing is installed, and no service begins to run. */
export async function unpackPackage(name: string, draft: string): Promise<void> {
  const bring = () => run('apt-get', ['download', '-q', name], { cwd: draft })
  await bring().catch(async () => {
    await run('apt-get', ['update', '-q'])
    await bring()
  })
  const archive = (await readdir(draft)).find((file) => file.endsWith('.deb'))
  if (!archive) throw new Error('it was not brought')
  await run('dpkg-deb', ['-x', join(draft, archive), draft])
}
