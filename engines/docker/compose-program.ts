import { join } from 'node:path'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

const VERSION = 'v2.40.3'
const MODULE = `github.com/docker/compose/v2`
const KEPT = [`docker-compose-${VERSION}`, 'docker-compose'] as const

export const COMPOSE = keptAt(...KEPT)

/**
 * Builds Docker Compose in the folder of its own module: `go install` refuses modules that exclude others, and Debian's
 * package is the first Compose, which has no `--wait`.
 * @returns why it cannot be had here
 */
export async function installCompose(): Promise<string | undefined> {
  try {
    await keep(...KEPT, async (draft) => {
      const said = await run('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`])
      const { Dir } = JSON.parse(said.slice(said.indexOf('{'))) as { Dir: string }
      const flags = [
        '-trimpath',
        '-buildvcs=false',
        `-ldflags=-s -w -X ${MODULE}/internal.Version=${VERSION}`,
      ]
      const target = join(draft, 'docker-compose')
      const env = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOMAXPROCS: '1' }
      const build = ['-n', '15', 'go', 'build', '-p=2', ...flags, '-o', target, './cmd']
      await run('nice', build, { cwd: Dir, env, withinMs: 40 * 60_000 })
    })
  } catch (error) {
    return `Compose cannot be built (Go 1.26 is needed): ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`
  }
  return undefined
}
