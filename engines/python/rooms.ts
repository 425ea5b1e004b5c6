import assert from 'node:assert/strict'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import { keep, keptAt } from '../kept.ts'

const VERSION = '1.2.2'
const KEPT = [`livekit-api-${VERSION}`, 'bin/python'] as const
const PROGRAM = fileURLToPath(new URL('rooms.py', import.meta.url))
const SECRET = 'a-secret-of-the-embedded-media-server'

/** With these, the office's media server takes calls of others. */
export const MEDIA_SETTINGS = { LIVEKIT_API_SECRET: SECRET }

/** LiveKit's server SDK for Python, into an environment of its own, which is kept. */
export async function installRooms(): Promise<void> {
  await keep(...KEPT, async (draft) => {
    await run('python3', ['-m', 'venv', '--clear', draft])
    await run(join(draft, 'bin/pip'), ['install', '--quiet', `livekit-api==${VERSION}`])
  })
}

export async function tryRooms(url: string, check: Check): Promise<void> {
  await check(`livekit-api ${VERSION} makes, changes and ends rooms, and reads what is refused`, async () => {
    // the key's name of an office without a LiveKit
    const env = { MEDIA: url, KEY: 'sandbox', SECRET, PYTHONDONTWRITEBYTECODE: '1' }
    assert.equal(
      (await run(keptAt(...KEPT), [PROGRAM], { env: { ...process.env, ...env } })).trim(),
      'all of it',
    )
  })
}
