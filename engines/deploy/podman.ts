import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { installPackage } from '../debian-packages.ts'
import type { Ends } from '../processes.ts'

/** Packages of Debian: `runc` because `crun` refuses machines with control groups of both kinds. */
const PROGRAMS = ['podman', 'runc', 'mmdebstrap']
/** Podman asks for a million of each, which a machine may not give out. */
export const PROCESSES_MAX = 4_096

const isThere = (name: string) => ['/usr/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, name)))

/** Runs `podman` on images and containers of its own. @returns what it printed */
export type Podman = (...args: string[]) => Promise<string>

/** @returns why there is none here; undefined where it is ready */
export async function installPodman(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root builds and runs containers here'
  for (const name of PROGRAMS) {
    const reason = isThere(name) ? undefined : await installPackage(name)
    if (reason) return reason
  }
  return undefined
}

/** Files that this process may have open: no container can be given more. */
export async function openFilesMax(): Promise<number> {
  return Number(await run('sh', ['-c', 'ulimit -Hn'])) || Number.MAX_SAFE_INTEGER
}

/** @param folder goes with everything that was made in it */
export async function openPodman(folder: string, ends: Ends): Promise<Podman> {
  const home = join(folder, 'podman')
  await mkdir(home)
  const files = await openFilesMax()
  const settings = `[containers]
default_ulimits = ["nofile=${files}:${files}", "nproc=${PROCESSES_MAX}:${PROCESSES_MAX}"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
lock_type = "file"
events_logger = "none"
`
  await writeFile(join(home, 'containers.conf'), settings)
  const places = Object.entries({ root: 'root', runroot: 'run', tmpdir: 'tmp' })
  // what it says of a systemd that does not run is no answer
  const options = ['--log-level=fatal', ...places.map(([option, name]) => `--${option}=${join(home, name)}`)]
  const env = { CONTAINERS_CONF: join(home, 'containers.conf') }
  ends.push(async () => {
    await run('podman', [...options, 'rm', '--all', '--force', '--time=0'], { env })
    await run('podman', [...options, 'image', 'unmount', '--all', '--force'], { env })
    // its own, under which nothing can be removed
    await run('umount', [join(home, 'root/overlay')]).catch(() => {})
  })
  return (...args) => run('podman', [...options, ...args], { env })
}
