import { join } from 'node:path'
import { run } from '../commands.ts'
import { oneAfterTheOther, unpackPackage } from '../debian-packages.ts'
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
  await unpackPackage('prometheus', draft)
  await run(join(draft, TOOL), ['--version'])
}
