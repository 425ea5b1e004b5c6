import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { oneAfterTheOther } from '../debian-packages.ts'
import { keep, keptAt } from '../kept.ts'

const KEPT = 'prometheus'
const SERVER = 'usr/bin/prometheus'
const TOOL = 'usr/bin/promtool'

export const prometheusProgram = (): string => keptAt(KEPT, SERVER)
export const promtoolProgram = (): string => keptAt(KEPT, TOOL)

/**
 * Unpacks Debian's package into a folder of ours: nothing is installed, and no service begins to run.
 * @returns why it cannot be had here
 */
export async function installPrometheus(): Promise<string | undefined> {
  try {
    await keep(KEPT, SERVER, (draft) => oneAfterTheOther(() => unpack(draft)))
  } catch (error) {
    return `the package prometheus cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

async function unpack(draft: string): Promise<void> {
  const bring = () => run('apt-get', ['download', '-q', 'prometheus'], { cwd: draft })
  await bring().catch(async () => {
    await run('apt-get', ['update', '-q'])
    await bring()
  })
  const archive = (await readdir(draft)).find((name) => name.endsWith('.deb'))
  if (!archive) throw new Error('it was not brought')
  await run('dpkg-deb', ['-x', archive, '.'], { cwd: draft })
  await run(join(draft, TOOL), ['--version'])
}
