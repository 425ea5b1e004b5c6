import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

/** A program that is built from its pinned Go module. */
export interface GoProgram {
  path: string
  /** @returns why it cannot be had here */
  install(): Promise<string | undefined>
}

/**
 * @param from package and version, as `go install` takes them
 * @param binary as `go install` names it: the last part of the package
 */
export function goProgram(name: string, from: string, binary: string): GoProgram {
  const kept = [`${name}-${from.split('@').at(-1)}`, binary] as const
  return {
    path: keptAt(...kept),
    async install() {
      try {
        await keep(...kept, (draft) => run('go', ['install', from], { env: { GOBIN: draft } }))
      } catch (error) {
        return `${name} cannot be built: ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`
      }
      return undefined
    },
  }
}
