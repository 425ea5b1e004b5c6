import { oneAfterTheOther, unpackPackage } from '../debian-packages.ts'
import { keep, keptAt } from '../kept.ts'

/** A program of Debian's, unpacked into a folder of ours: nothing is installed, and no service begins to run. */
export interface DebianProgram {
  path: string
  /** @returns why it cannot be had here */
  install(): Promise<string | undefined>
}

/** @param path of the program in its package */
export function debianProgram(name: string, path: string): DebianProgram {
  return {
    path: keptAt(name, path),
    async install() {
      try {
        await keep(name, path, (draft) => oneAfterTheOther(() => unpackPackage(name, draft)))
      } catch (error) {
        return `the package ${name} cannot be had: ${(error as Error).message.split('\n')[0]}`
      }
      return undefined
    },
  }
}
