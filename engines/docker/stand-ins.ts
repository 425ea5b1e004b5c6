import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { run } from '../commands.ts'
import { debianProgram } from '../deploy/debian-program.ts'
import type { Daemon } from './daemon.ts'

const caddy = debianProgram('caddy', 'usr/bin/caddy')
const busybox = debianProgram('busybox-static', 'bin/busybox')

/** Whom the office would be asked by, and for whom: the two things by which `TRUST_PROXY` decides. */
const WHO = `#!/bin/sh
printf 'Content-Type: text/plain\\r\\n\\r\\n%s %s' "$REMOTE_ADDR" "$HTTP_X_FORWARDED_FOR"
`

export const STAND_IN = 'atrium-stand-in:1'

export async function installStandIns(): Promise<string | undefined> {
  return (await caddy.install()) ?? (await busybox.install())
}

/** One image for both parts: Debian's Caddy, and what answers who asks in the place of a node. */
export async function bringStandIn(folder: string, { docker }: Daemon): Promise<void> {
  const root = join(folder, 'image')
  for (const name of ['bin', 'etc', 'tmp', 'www/cgi-bin']) await mkdir(join(root, name), { recursive: true })
  await copyFile(busybox.path, join(root, 'bin/busybox'))
  for (const name of ['sh', 'httpd', 'wget']) await symlink('busybox', join(root, 'bin', name))
  await copyFile(caddy.path, join(root, 'bin/caddy'))
  for (const [library] of (await run('ldd', [caddy.path])).matchAll(/\/\S+/g)) {
    await mkdir(dirname(join(root, library)), { recursive: true })
    await copyFile(library, join(root, library))
  }
  await writeFile(join(root, 'www/cgi-bin/who'), WHO)
  await chmod(join(root, 'www/cgi-bin/who'), 0o755)
  await run('tar', ['-C', root, '-cf', join(folder, 'image.tar'), '.'])
  await docker('import', '--change', 'ENV PATH=/bin HOME=/tmp', join(folder, 'image.tar'), STAND_IN)
}
