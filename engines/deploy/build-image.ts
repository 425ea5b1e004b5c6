import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import { documented } from './container-page.ts'
import type { Podman } from './podman.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The authorities that this machine believes. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

/** Builds the image `atrium` of this checkout, as its page says. */
export async function buildImage(podman: Podman): Promise<void> {
  const cache = (await run('npm', ['config', 'get', 'cache'])).trim() || join(homedir(), '.npm')
  const options = [
    // without it the health check is left out
    '--format=docker',
    '--layers=false',
    '--network=host',
    ...(existsSync(cache) ? [`--volume=${cache}:/root/.npm`] : []),
    ...(existsSync(AUTHORITIES) ? [`--volume=${AUTHORITIES}:${AUTHORITIES}:ro`] : []),
  ]
  const [word = '', ...rest] = (await documented('build')).slice(0, -1)
  await podman(word, ...options, ...rest, ROOT)
}
