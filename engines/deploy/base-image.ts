import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { oneAfterTheOther } from '../debian-packages.ts'
import { keep, keptAt } from '../kept.ts'
import type { Podman } from './podman.ts'

/** Of the line that Node 26 brings along. */
const NPM = '11.21.2'
/** What Debian's slim images leave out. */
const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*']
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Beside what the official image has: npm believes the authorities that this machine believes. */
const NPM_SETTINGS = 'cafile=/etc/ssl/certs/ca-certificates.crt\n'

/**
 * No registry of images is reached from everywhere: the like of the official one, made of Debian's packages, npm and the
 * Node of this process, under the name that the Containerfile asks for.
 * @param reference `node:26.10.0-bookworm-slim`
 * @returns why no container of it can be run here; undefined: one was
 */
export async function bringBase(podman: Podman, reference: string): Promise<string | undefined> {
  const [, version = '', suite = ''] = /^node:([\d.]+)-([a-z]+)-slim$/.exec(reference) ?? []
  if (version !== process.versions.node) return `this is Node ${process.version}, and ${reference} is wanted`
  const kept = [`base-2-${suite}-node-${version}-npm-${NPM}-${process.arch}`, 'root.tar'] as const
  const changes = [`ENV PATH=${PATH}`, `ENV NODE_VERSION=${version}`, 'CMD ["node"]']
  const options = changes.flatMap((change) => ['--change', change])
  try {
    await keep(...kept, (draft) => makeBase(draft, suite))
    await podman('import', ...options, keptAt(...kept), `docker.io/library/${reference}`)
    await podman('run', '--rm', '--network=host', reference, 'node', '--version')
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 2).join(' ')
  }
  return undefined
}

async function makeBase(draft: string, suite: string): Promise<void> {
  const added = join(draft, 'added')
  const npm = join(added, 'usr/local/lib/node_modules/npm')
  const bin = join(added, 'usr/local/bin')
  for (const folder of [npm, bin, join(added, 'usr/local/etc'), join(added, 'root/.npm')])
    await mkdir(folder, { recursive: true })
  await run('npm', ['pack', '--silent', `npm@${NPM}`], { cwd: draft })
  await run('tar', [
    '-xzf',
    join(draft, `npm-${NPM}.tgz`),
    '-C',
    npm,
    '--strip-components=1',
    '--no-same-owner',
  ])
  await run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm')])
  await run('chmod', ['755', join(npm, 'bin/npm-cli.js')])
  await run('install', ['-m', '755', process.execPath, join(bin, 'node')])
  await writeFile(join(added, 'usr/local/etc/npmrc'), NPM_SETTINGS)
  const hooks = [
    `cp -rP ${added}/. "$1"`,
    'chroot "$1" groupadd --gid 1000 node',
    'chroot "$1" useradd --uid 1000 --gid node --shell /bin/bash --create-home node',
  ]
  const options = [
    ...['--mode=root', '--variant=minbase', '--include=ca-certificates,libatomic1'],
    ...LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`),
    ...hooks.map((hook) => `--customize-hook=${hook}`),
  ]
  await oneAfterTheOther(() => run('mmdebstrap', [...options, suite, join(draft, 'root.tar')]))
  await run('rm', ['-r', added, join(draft, `npm-${NPM}.tgz`)])
}
