import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAtriumClient, createCookieJar } from '@atrium/client'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import type { Check } from '../engine.ts'
import { type Ends, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { documented } from './container-page.ts'
import { type MailStandIn, startMailStandIn } from './mail-stand-in.ts'
import { PICTURE } from './picture.ts'
import { openFilesMax, type Podman, PROCESSES_MAX } from './podman.ts'

/** What the page asks for: how long it is given to end by itself. */
const STOPS_WITHIN_MS = 70_000
const ENTRY = ['node', 'server/bin/atrium.js']
/** Tries to write wherever `node` might; says where it could. */
const WRITE =
  'for at in / /app /app/server /etc /home/node /usr /var/tmp /run /data /tmp; do touch $at/x 2>/dev/null && echo $at; done'

interface Container {
  podman: Podman
  /** As its page says it, behind `run`. */
  flags: string[]
  url: string
  mail: MailStandIn
  /** Runs a command in the running one. @returns what it printed */
  inside(...command: string[]): Promise<string>
  /** @param format of `podman inspect` */
  about(format: string): Promise<string>
}

/** Runs the image as its page says, and uses the office in it. */
export async function tryContainer(podman: Podman, folder: string, check: Check, ends: Ends): Promise<void> {
  const container = await prepare(podman, folder, ends)
  await tryStart(container, check)
  await tryConfines(container, check)
  await tryUse(container, check)
}

async function prepare(podman: Podman, folder: string, ends: Ends): Promise<Container> {
  const cluster = await startTemporaryCluster()
  ends.push(cluster.stop)
  const mail = await startMailStandIn(ends)
  const url = `http://127.0.0.1:${await freePort()}`
  const settings = {
    PORT: new URL(url).port,
    BASE_URL: url,
    SECRET_KEY: randomBytes(36).toString('base64'),
    DATABASE_URL: cluster.connectionString,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Office <office@office.example>',
    // a busy machine is not what is tried
    DATABASE_WAIT_MS: '30000',
  }
  const file = join(folder, 'atrium.env')
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(file, lines.join(''))
  return {
    ...{ podman, url, mail, flags: await documentedFlags(file) },
    inside: (...command) => podman('exec', 'office', ...command),
    about: async (format) => (await podman('container', 'inspect', '--format', format, 'office')).trim(),
  }
}

async function tryStart({ podman, flags, url, about }: Container, check: Check): Promise<void> {
  const hasEnded = async () => (await about('{{.State.Status}}')) === 'exited'
  await check('a container of it migrates, as those of Compose and Kubernetes do first', async () => {
    await podman('run', '--rm', ...flags, 'atrium', 'migrate')
  })
  await check('run as its page says it gets ready, and its health check agrees', async () => {
    await podman('run', '--detach', '--name=office', ...flags, 'atrium')
    await eventually(
      'it is ready, or ends',
      async () => {
        if (await hasEnded()) throw new Error(await podman('logs', 'office'))
        return (await fetch(`${url}/health/ready`).catch(() => undefined))?.status === 200
      },
      { withinMs: 240_000, everyMs: 250 },
    )
    // where systemd runs, it is asked again and again by itself
    await eventually('a healthy container', async () => {
      await podman('healthcheck', 'run', 'office').catch(() => {})
      return (await about('{{.State.Health.Status}}')) === 'healthy'
    })
  })
}

async function tryConfines({ about, inside }: Container, check: Check): Promise<void> {
  await check('it is nobody of importance, and writes to two folders alone', async () => {
    const status = await readFile(`/proc/${await about('{{.State.Pid}}')}/status`, 'utf8')
    for (const line of [
      /^Uid:\t1000\t1000\t1000\t1000$/m,
      /^Gid:\t1000\t/m,
      /^NoNewPrivs:\t1$/m,
      /^Seccomp:\t2$/m,
    ])
      assert.match(status, line)
    for (const kind of ['Prm', 'Eff', 'Bnd', 'Amb'])
      assert.match(status, new RegExp(`^Cap${kind}:\\t0+$`, 'm'))
    assert.deepEqual((await inside('sh', '-c', `${WRITE}; true`)).split(/\s+/).filter(Boolean), [
      '/data',
      '/tmp',
    ])
  })
  await check('the doctor finds nothing wrong in there', async () => {
    const said = await inside(...ENTRY, 'doctor')
    assert.doesNotMatch(said, /^✗/m)
    for (const part of ['database', 'mail', 'storage', 'image check'])
      assert.match(said, new RegExp(`^✓ ${part}:`, 'm'))
  })
}

async function tryUse({ podman, url, mail, about }: Container, check: Check): Promise<void> {
  let avatarUrl = ''
  await check('somebody signs in there by the code of a mail, and shows a picture', async () => {
    const client = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
    const email = 'grace@office.example'
    await client.call('signUp', { email })
    await client.call('finalizeMagicAuth', { email, code: await mail.codeFor(email) })
    const { uploadUrl, tmpKey } = await client.call('createAvatarUploadTicket', { contentType: 'image/png' })
    const headers = { 'content-type': 'image/png' }
    assert.equal((await fetch(uploadUrl, { method: 'PUT', headers, body: PICTURE })).status, 200)
    avatarUrl = (await client.call('finalizeAvatarUpload', { tmpKey })).avatarUrl
    assert.equal((await fetch(avatarUrl)).status, 200)
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    assert.match(`${page.status} ${page.headers.get('content-type')}`, /^200 text\/html/)
  })
  await check('told to stop it says so, answers until it is known, and ends by itself', async () => {
    const began = performance.now()
    const stopped = podman('stop', 'office')
    await untilAnswers(`${url}/health/ready`, STOPS_WITHIN_MS, (status) => status === 503)
    assert.equal((await fetch(`${url}/health/live`)).status, 200)
    await stopped
    assert.ok(performance.now() - began < STOPS_WITHIN_MS)
    assert.equal(await about('{{.State.ExitCode}}'), '0')
  })
  await check('what it has stored is there when it comes back', async () => {
    await podman('start', 'office')
    await untilAnswers(`${url}/health/ready`)
    assert.equal((await fetch(avatarUrl)).status, 200)
    assert.doesNotMatch(await podman('logs', 'office'), /EROFS|EACCES|EPERM|could not be built/)
    await podman('stop', 'office')
  })
}

/** The flags of the page without the network, which would be a bridge of this machine, and files that are not here. */
async function documentedFlags(environment: string): Promise<string[]> {
  const [, ...words] = await documented('run')
  assert.equal(words.pop(), 'atrium')
  const published = words.indexOf('-p')
  assert.ok(published > 0)
  words.splice(published, 2)
  const wanted = 'nofile=65536:65536'
  const files = Math.min(65_536, await openFilesMax())
  assert.ok(words.includes(wanted) && words.includes('atrium.env'))
  const given = words.map((word) =>
    word.replace('atrium.env', environment).replace(wanted, `nofile=${files}:${files}`),
  )
  // one limit on its command line, and Podman forgets the others of its settings; its own folders to write to, Docker has not
  const own = [`--ulimit=nproc=${PROCESSES_MAX}:${PROCESSES_MAX}`, '--read-only-tmpfs=false']
  return ['--network=host', ...own, ...given]
}
