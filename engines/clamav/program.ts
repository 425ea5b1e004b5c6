import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { oneAfterTheOther, unpackPackage } from '../debian-packages.ts'
import { keep, keptAt } from '../kept.ts'

const NAME = 'clamav'
const DAEMON = 'clamav-daemon/usr/sbin/clamd'
const PACKAGES = ['clamav-daemon', 'libclamav12', 'libmspack0']

/** Unpacks Debian's daemon with the libraries that nothing else has. @returns why it cannot be had here */
export async function installClamav(): Promise<string | undefined> {
  try {
    await keep(NAME, DAEMON, async (draft) => {
      for (const name of PACKAGES) {
        const folder = join(draft, name)
        await mkdir(folder)
        await oneAfterTheOther(() => unpackPackage(name, folder))
      }
    })
    await run('ldd', [daemonProgram()], { env: await daemonEnvironment() })
  } catch (error) {
    return `Debian's clamav-daemon cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

export function daemonProgram(): string {
  return keptAt(NAME, DAEMON)
}

/** Where it finds its libraries: their folder has the name of the machine's kind. */
export async function daemonEnvironment(): Promise<Record<string, string>> {
  const folders: string[] = []
  for (const name of PACKAGES.filter((one) => one.startsWith('lib'))) {
    const libraries = keptAt(NAME, `${name}/usr/lib`)
    for (const kind of await readdir(libraries)) folders.push(join(libraries, kind))
  }
  return { LD_LIBRARY_PATH: folders.join(':') }
}
