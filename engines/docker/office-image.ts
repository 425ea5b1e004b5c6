import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringBase } from '../deploy/base-image.ts'
import { buildImage } from '../deploy/build-image.ts'
import { installPodman, openPodman } from '../deploy/podman.ts'
import type { Ends } from '../processes.ts'
import type { Daemon } from './daemon.ts'

const FILE = fileURLToPath(new URL('../../deploy/container/Containerfile', import.meta.url))

export const installOffice = installPodman

/**
 * The office's own image, as deploy/container builds it: the daemon's network has no way out, and building needs one.
 * @returns what stands in for what
 */
export async function bringOffice(
  folder: string,
  { docker }: Daemon,
  name: string,
  ends: Ends,
): Promise<string[]> {
  const podman = await openPodman(folder, ends)
  const base = /^FROM (\S+)/m.exec(await readFile(FILE, 'utf8'))?.[1] ?? ''
  const reason = await bringBase(podman, base)
  if (reason) throw new Error(`the base of the image cannot be had: ${reason}`)
  await buildImage(podman)
  const archive = join(folder, 'office.tar')
  await podman('save', '--format', 'docker-archive', '--output', archive, 'localhost/atrium:latest')
  await docker('load', '--input', archive)
  await docker('tag', 'localhost/atrium:latest', name)
  return [
    `docker compose build: Podman, of this checkout, on ${base} of Debian’s packages, npm and this Node`,
  ]
}
