import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import { debianProgram } from '../deploy/debian-program.ts'
import { keptAt } from '../kept.ts'
import { type Ends, end } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { COMPOSE } from './compose-program.ts'

const LIBRARIES = 'usr/lib/x86_64-linux-gnu'
/** What its parts say to each other, shown where it does not start. */
const LOG = 'docker.log'
const PACKAGES = [
  debianProgram('docker.io', 'usr/sbin/dockerd'),
  debianProgram('containerd', 'usr/bin/containerd'),
  debianProgram('runc', 'usr/sbin/runc'),
  debianProgram('iptables', 'usr/sbin/xtables-legacy-multi'),
  debianProgram('libip4tc2', `${LIBRARIES}/libip4tc.so.2`),
  debianProgram('libip6tc2', `${LIBRARIES}/libip6tc.so.2`),
  debianProgram('libxtables12', `${LIBRARIES}/libxtables.so.12`),
]

/** @returns why there is none here; undefined where it is ready */
export async function installDocker(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root runs dockerd here'
  for (const program of PACKAGES) {
    const reason = await program.install()
    if (reason) return reason
  }
  return undefined
}

export interface Daemon {
  /** For programs that speak to it. */
  env: Record<string, string>
  /** The file of settings that Compose reads. */
  environment: string
  /** Runs `docker compose` on the compose file. @returns what it printed */
  compose(...args: string[]): Promise<string>
  /** Runs `docker`. @returns what it printed */
  docker(...args: string[]): Promise<string>
  /** Runs a command in the network of the machine that Docker believes to be its own. */
  inside(...command: string[]): Promise<string>
}

/** A daemon in a network and with mounts of its own: nothing of it is seen on this machine. It copies layers (vfs). */
export async function startDocker(folder: string, ends: Ends): Promise<Daemon> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  for (const name of ['iptables', 'ip6tables'])
    await symlink(keptAt('iptables', 'usr/sbin/xtables-legacy-multi'), join(bin, name))
  const packages = ['docker.io', 'containerd', 'runc']
  const folders = packages.flatMap((name) => [keptAt(name, 'usr/bin'), keptAt(name, 'usr/sbin')])
  const env = {
    ...process.env,
    PATH: [bin, ...folders.filter(existsSync), process.env.PATH].join(':'),
    LD_LIBRARY_PATH: ['libip4tc2', 'libip6tc2', 'libxtables12']
      .map((name) => keptAt(name, LIBRARIES))
      .join(':'),
    XTABLES_LIBDIR: keptAt('iptables', `${LIBRARIES}/xtables`),
  }
  const host = `unix://${join(folder, 'docker.sock')}`
  const child = daemonProcess(folder, host, env)
  ends.push(() => end(child))
  const docker = (...args: string[]) => run(keptAt('docker.io', 'usr/bin/docker'), ['-H', host, ...args])
  await eventually('dockerd answers', async () => {
    if (child.exitCode !== null)
      throw new Error(`dockerd ended: ${await readFile(join(folder, LOG), 'utf8')}`)
    return await docker('version').catch(() => undefined)
  })
  const pid = String(child.pid)
  const environment = join(folder, '.env')
  const forPrograms = composeEnvironment(host, environment)
  return {
    ...{ docker, environment, env: forPrograms },
    compose: (...args) => run(COMPOSE, args, { env: forPrograms }),
    inside: (...command) => run('nsenter', ['-t', pid, '-n', ...command]),
  }
}

/** In place of options, so that other programs call it as an operator does. */
function composeEnvironment(host: string, settings: string): Record<string, string> {
  return {
    DOCKER_HOST: host,
    COMPOSE_FILE: fileURLToPath(new URL('../../deploy/compose/compose.yaml', import.meta.url)),
    COMPOSE_ENV_FILES: settings,
    COMPOSE_PROGRESS: 'quiet',
  }
}

function daemonProcess(folder: string, host: string, env: NodeJS.ProcessEnv): ChildProcess {
  const places = { 'data-root': 'data', 'exec-root': 'exec', pidfile: 'docker.pid' }
  const options = Object.entries(places).map(([option, name]) => `--${option}=${join(folder, name)}`)
  const command = [
    ...['sh', '-ec', 'ip link set lo up; exec "$@"', 'docker', 'dockerd', `--host=${host}`, ...options],
    ...['--storage-driver=vfs', '--exec-opt=native.cgroupdriver=cgroupfs', '--log-level=error'],
  ]
  const log = openSync(join(folder, LOG), 'w')
  const child = spawn('unshare', ['-nm', '--propagation', 'private', ...command], {
    stdio: ['ignore', 'ignore', log],
    env,
  })
  closeSync(log)
  return child
}
