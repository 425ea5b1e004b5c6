import { chmod, copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { centrifugoProgram, installCentrifugo } from '../centrifugo/program.ts'
import { run } from '../commands.ts'
import { oneAfterTheOther } from '../debian-packages.ts'
import { debianProgram } from '../deploy/debian-program.ts'
import { keep, keptAt } from '../kept.ts'
import { installLivekit, livekitProgram } from '../livekit/program.ts'
import { dumpTools, installDumpTools } from '../postgres/dump-tools.ts'
import { installRedis } from '../redis/redis.ts'
import { install as installStore, storeProgram, VERSITYGW } from '../s3/stores.ts'
import type { Daemon } from './daemon.ts'

const caddy = debianProgram('caddy', 'usr/bin/caddy')
const busybox = debianProgram('busybox-static', 'bin/busybox')
const APPLETS = ['sh', 'wget', 'mkdir', 'chown', 'chmod', 'sleep', 'cat', 'id', 'su', 'ls']
const AWS = ['docker-aws-cli-bookworm', 'root.tar'] as const
/** Debian's is older than the variable that names the store. */
const AWS_START = `#!/bin/sh
exec /usr/bin/aws --endpoint-url "$AWS_ENDPOINT_URL" "$@"
`
const POSTGRES = '/opt/postgres'

/** As the official image does it, as far as the compose file asks: a cluster in its volume, one role, one database. */
const POSTGRES_START = `#!/bin/sh
set -e
export PGDATA=/var/lib/postgresql/18/docker
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres /var/lib/postgresql
  chmod 700 "$PGDATA"
  echo "$POSTGRES_PASSWORD" > /tmp/password
  chmod 644 /tmp/password
  su postgres -c 'initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --encoding=UTF8'
  su postgres -c 'echo "create database \\"$POSTGRES_DB\\"" | postgres --single -j postgres'
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec su postgres -c "exec postgres -c 'listen_addresses=*' -c unix_socket_directories=/tmp,/var/run/postgresql"
`

/** What is given in the place of an image of a registry. */
interface StandIn {
  /** The name in the compose file, without its version. */
  image: string
  from: string
  programs: readonly string[]
  /** Instructions of an image file. */
  changes: readonly string[]
  /** Adds what is more than programs. */
  furnish?(root: string): Promise<unknown>
}

const STAND_INS: readonly StandIn[] = [
  {
    image: 'caddy',
    from: 'Caddy 2.6.2 (Debian)',
    programs: [caddy.path],
    changes: [
      'ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data',
      'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
    ],
  },
  {
    image: 'postgres',
    from: 'PostgreSQL 18.6 (PyPI)',
    programs: [join(dumpTools('18'), 'postgres'), join(dumpTools('18'), 'initdb')],
    changes: [`ENV PATH=${POSTGRES}/bin:/bin`, 'ENTRYPOINT ["/bin/start"]'],
    async furnish(root) {
      const home = dirname(dumpTools('18'))
      await mkdir(join(root, POSTGRES), { recursive: true })
      for (const name of ['bin', 'lib', 'share'])
        await cp(join(home, name), join(root, POSTGRES, name), { recursive: true, verbatimSymlinks: true })
      await cp('/usr/share/zoneinfo', join(root, 'usr/share/zoneinfo'), { recursive: true })
      await mkdir(join(root, 'var/run/postgresql'), { recursive: true, mode: 0o777 })
      await chmod(join(root, 'var/run/postgresql'), 0o777)
      await writeFile(join(root, 'bin/start'), POSTGRES_START, { mode: 0o755 })
    },
  },
  {
    image: 'redis',
    from: 'Redis 7.0 (Debian)',
    programs: ['/usr/bin/redis-server', '/usr/bin/redis-cli'],
    changes: ['CMD ["redis-server"]'],
  },
  {
    image: 'centrifugo/centrifugo',
    from: 'Centrifugo 5.4.9 (Go proxy), the version that is named',
    programs: [centrifugoProgram()],
    changes: ['CMD ["centrifugo"]'],
  },
  {
    image: 'livekit/livekit-server',
    from: 'LiveKit 1.13.5 (Go proxy), the version that is named',
    programs: [livekitProgram()],
    changes: ['ENTRYPOINT ["livekit-server"]'],
  },
  {
    image: 'versity/versitygw',
    from: 'versitygw 1.8.0 (Go proxy), the version that is named',
    programs: [storeProgram(VERSITYGW)],
    changes: ['ENTRYPOINT ["versitygw"]'],
  },
]

/** @returns why one of them cannot be had; undefined where all are there */
export async function installImages(): Promise<string | undefined> {
  const installs = [
    caddy.install,
    busybox.install,
    installCentrifugo,
    installLivekit,
    installRedis,
    () => installDumpTools('18'),
    () => installStore(VERSITYGW),
    installAws,
  ]
  for (const install of installs) {
    const reason = await install()
    if (reason) return reason
  }
  return undefined
}

/** The command of Amazon's is a program in Python: its image is a Debian of its own. */
async function installAws(): Promise<string | undefined> {
  try {
    await keep(...AWS, (draft) => {
      const options = ['--mode=root', '--variant=minbase', '--include=awscli']
      return oneAfterTheOther(() => run('mmdebstrap', [...options, 'bookworm', join(draft, 'root.tar')]))
    })
  } catch (error) {
    return `awscli cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

/**
 * Images under the names of the compose file. No registry of images is reached from here.
 * @param named in the compose file
 * @returns what stands in for what
 */
export async function bringImages(folder: string, { docker }: Daemon, named: readonly string[]) {
  const said: string[] = []
  const wanted = (image: string) => {
    const found = named.find((name) => name.replace(/:.*/, '') === image)
    if (!found) throw new Error(`the compose file names no ${image}`)
    return found
  }
  for (const one of STAND_INS) {
    const name = wanted(one.image)
    const root = join(folder, 'images', basename(one.image))
    await furnish(root, one)
    await run('tar', ['-C', root, '-cf', `${root}.tar`, '.'])
    await run('rm', ['-r', root])
    const changes = ['ENV PATH=/bin HOME=/tmp', ...one.changes].flatMap((change) => ['--change', change])
    await docker('import', ...changes, `${root}.tar`, name)
    said.push(`${name}: ${one.from}`)
  }
  const aws = wanted('amazon/aws-cli')
  await docker('import', '--change', 'ENTRYPOINT ["aws"]', await withStart(folder), aws)
  return [...said, `${aws}: awscli 2.9 (Debian)`]
}

async function withStart(folder: string): Promise<string> {
  const [archive, added] = [join(folder, 'images/aws.tar'), join(folder, 'images/aws')]
  await mkdir(join(added, 'usr/local/bin'), { recursive: true })
  await writeFile(join(added, 'usr/local/bin/aws'), AWS_START, { mode: 0o755 })
  await copyFile(keptAt(...AWS), archive)
  await run('tar', ['-C', added, '-rf', archive, './usr/local/bin/aws'])
  return archive
}

async function furnish(root: string, { programs, furnish: more }: StandIn): Promise<void> {
  for (const name of ['bin', 'etc', 'tmp', 'data', 'var']) await mkdir(join(root, name), { recursive: true })
  await chmod(join(root, 'tmp'), 0o1777)
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\npostgres:x:999:999::/:/bin/sh\n')
  await writeFile(join(root, 'etc/group'), 'root:x:0:\npostgres:x:999:\n')
  await copyFile(busybox.path, join(root, 'bin/busybox'))
  for (const name of APPLETS) await symlink('busybox', join(root, 'bin', name))
  for (const program of programs) {
    if (!more) await copyFile(program, join(root, 'bin', basename(program)))
    for (const library of await librariesOf(program)) {
      await mkdir(dirname(join(root, library)), { recursive: true })
      await copyFile(library, join(root, library))
    }
  }
  await more?.(root)
}

/** None of a program that is linked statically, which `ldd` takes for a failure. */
async function librariesOf(program: string): Promise<string[]> {
  const said = await run('ldd', [program]).catch(() => '')
  const found = [...said.matchAll(/(?<==> |^\s)\/\S+/gm)].map(([library]) => library)
  // what a program has beside itself comes with it
  return found.filter((library) => /^\/(usr\/)?lib/.test(library))
}
