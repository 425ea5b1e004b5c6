import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

const RECIPE = fileURLToPath(new URL('build', import.meta.url))
const PACKAGE = 'github.com/centrifugal/centrifugo/v5'
/** Of the pinned module; a build outside its own repository does not know it. */
const VERSION = '5.4.9'
const KEPT = [`centrifugo-${VERSION}`, 'centrifugo'] as const

/** The program that is tried: `CENTRIFUGO_BIN`, or the one of our recipe. */
export function centrifugoProgram(): string {
  return process.env.CENTRIFUGO_BIN || keptAt(...KEPT)
}

/**
 * Builds Centrifugo from its pinned module where it is not there yet: v5 is the newest that the Go module proxy has
 * whole. Any other, v6 included, can be named by `CENTRIFUGO_BIN`.
 * @returns why it cannot be had here
 */
export async function installCentrifugo(): Promise<string | undefined> {
  const named = process.env.CENTRIFUGO_BIN
  if (named) return existsSync(named) ? undefined : `CENTRIFUGO_BIN names ${named}, which is not there`
  const flags = `-s -w -X ${PACKAGE}/internal/build.Version=${VERSION}`
  try {
    await keep(...KEPT, async (draft) => {
      const target = join(draft, 'centrifugo')
      await run('go', ['build', '-mod=mod', '-ldflags', flags, '-o', target, PACKAGE], { cwd: RECIPE })
    })
  } catch (error) {
    return `it cannot be built (Go 1.26 is needed): ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`
  }
  return undefined
}

/** 5 or 6: their configurations differ. */
export async function majorVersion(): Promise<5 | 6> {
  const said = await run(centrifugoProgram(), ['version'])
  return /v?6\.\d+\.\d+/.test(said) ? 6 : 5
}
