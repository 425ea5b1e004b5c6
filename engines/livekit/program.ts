import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'

const RECIPE = fileURLToPath(new URL('build', import.meta.url))
const BUILT = fileURLToPath(new URL('../../.engines/livekit-server', import.meta.url))
const PACKAGE = 'github.com/livekit/livekit-server/cmd/server'

/** The program that is tried: `LIVEKIT_BIN`, or the one of our recipe. */
export function livekitProgram(): string {
  return process.env.LIVEKIT_BIN || BUILT
}

/**
 * Builds LiveKit from its pinned module where it is not there yet: 1.13.5 is the newest that needs no forks of other
 * modules. It is tried in a network of its own, so that nothing of it can be reached, nor reach anything.
 * @returns why it cannot be had here
 */
export async function installLivekit(): Promise<string | undefined> {
  try {
    await run('unshare', ['-n', 'ip', 'link'])
  } catch {
    return 'it wants a network of its own: unshare -n and ip, as root'
  }
  const named = process.env.LIVEKIT_BIN
  if (named) return existsSync(named) ? undefined : `LIVEKIT_BIN names ${named}, which is not there`
  if (existsSync(BUILT)) return undefined
  await mkdir(fileURLToPath(new URL('../../.engines', import.meta.url)), { recursive: true })
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w']
  try {
    await run('go', ['build', ...flags, '-o', BUILT, PACKAGE], {
      cwd: RECIPE,
      env: { CGO_ENABLED: '0', GOTOOLCHAIN: 'local' },
    })
  } catch (error) {
    return `it cannot be built (Go 1.26 is needed): ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`
  }
  return undefined
}
