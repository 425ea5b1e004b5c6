import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'
import { missingOwnNetwork } from '../own-network.ts'

const RECIPE = fileURLToPath(new URL('build', import.meta.url))
const PACKAGE = 'github.com/livekit/livekit-server/cmd/server'
/** Of the pinned module. */
const VERSION = '1.13.5'
const KEPT = [`livekit-${VERSION}`, 'livekit-server'] as const

/** The program that is tried: `LIVEKIT_BIN`, or the one of our recipe. */
export function livekitProgram(): string {
  return process.env.LIVEKIT_BIN || keptAt(...KEPT)
}

/**
 * Builds LiveKit from its pinned module where it is not there yet: 1.13.5 is the newest that needs no forks of other
 * modules. It is tried in a network of its own, so that nothing of it can be reached, nor reach anything.
 * @returns why it cannot be had here
 */
export async function installLivekit(): Promise<string | undefined> {
  const missing = await missingOwnNetwork()
  if (missing !== undefined) return missing
  const named = process.env.LIVEKIT_BIN
  if (named) return existsSync(named) ? undefined : `LIVEKIT_BIN names ${named}, which is not there`
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w']
  try {
    await keep(...KEPT, (draft) =>
      run('go', ['build', ...flags, '-o', join(draft, 'livekit-server'), PACKAGE], {
        cwd: RECIPE,
        env: { CGO_ENABLED: '0', GOTOOLCHAIN: 'local' },
      }),
    )
  } catch (error) {
    return `it cannot be built (Go 1.26 is needed): ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`
  }
  return undefined
}
