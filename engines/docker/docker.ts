import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { openFilesMax } from '../deploy/podman.ts'
import type { Check, Engine } from '../engine.ts'
import { tryInside } from '../own-network.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { installCompose } from './compose-program.ts'
import { type Daemon, installDocker, startDocker } from './daemon.ts'
import { bringImages, installImages } from './images.ts'
import { startClient } from './machine.ts'
import { bringOffice, installOffice } from './office-image.ts'
import { CLIENTS, HOSTS, MACHINE, MAIL_PORT } from './places.ts'

const FILE = fileURLToPath(new URL('../../deploy/compose/compose.yaml', import.meta.url))
const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url))
/** Of Caddy's own authority, in its container. */
const ROOT_CERTIFICATE = 'proxy:/data/caddy/pki/authorities/local/root.crt'
/** What the file asks for where nothing is said. */
const FILES_ASKED = 65_536

/** The whole compose file as it stands, in a real Docker. */
export const docker: Engine = {
  name: 'docker',
  about: 'the compose file in Docker (Debian) and Compose 2.40.3, whole, through Caddy from two addresses',
  install: async () =>
    (await installDocker()) ?? (await installOffice()) ?? (await installImages()) ?? (await installCompose()),
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-docker-'))
    const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
    try {
      const daemon = await startDocker(folder, ends)
      const client = await startClient(daemon, ends)
      await bringAll(folder, daemon, ends)
      await tryFile(folder, daemon, client, check)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}

/** The file, once its images are there. */
async function tryFile(folder: string, daemon: Daemon, client: string, check: Check): Promise<void> {
  await writeFile(daemon.environment, environment(folder))
  await tryFilesLimit(daemon, check)
  let authority = ''
  await check('the proxy alone has an authority of its own, and hands out its certificate', async () => {
    authority = await authorityOf(folder, daemon)
  })
  if (authority) await visit(folder, daemon, client, authority, check)
}

async function bringAll(folder: string, daemon: Daemon, ends: Ends): Promise<void> {
  const { services } = parse(await readFile(FILE, 'utf8'), { merge: true }) as {
    services: Record<string, { image: string }>
  }
  const named = Object.values(services).map(({ image }) => image)
  const said = [
    ...(await bringImages(folder, daemon, named)),
    ...(await bringOffice(folder, daemon, services.atrium?.image ?? '', ends)),
  ]
  for (const line of said) console.log(`  - docker: in the place of ${line}`)
}

/** What an operator fills in, and nothing else. */
function environment(folder: string): string {
  const secrets = [
    ...['SECRET_KEY', 'BROKER_TOKEN_SECRET', 'BROKER_PROXY_SECRET'],
    ...['CENTRIFUGO_API_KEY', 'LIVEKIT_API_SECRET'],
  ].map((name) => [name, randomBytes(48).toString('base64')])
  const words = ['DATABASE_PASSWORD', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].map((name) => [
    name,
    randomBytes(24).toString('hex'),
  ])
  const values = {
    ...HOSTS,
    ...Object.fromEntries([...secrets, ...words]),
    MEDIA_ADDRESS: MACHINE,
    SMTP_URL: `smtp://${CLIENTS[0]}:${MAIL_PORT}`,
    MAIL_FROM: 'Office <office@office.example>',
    AUTHORITY_FILE: join(folder, 'authority.pem'),
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** Where the machine gives out as many as are asked for, there is nothing to see. */
async function tryFilesLimit(daemon: Daemon, check: Check): Promise<void> {
  const most = await openFilesMax()
  if (most >= FILES_ASKED)
    return console.log(`  - docker: this machine gives out ${most} open files: not refused`)
  await check('with fewer open files than are asked for Docker says what the page quotes', async () => {
    const tried = daemon.compose('run', '--rm', '--no-deps', 'centrifugo', 'centrifugo', 'version')
    await assert.rejects(tried, /error setting rlimit type 7/)
  })
  await appendFile(daemon.environment, `OPEN_FILES=${most}\n`)
}

async function authorityOf(folder: string, daemon: Daemon): Promise<string> {
  const file = join(folder, 'authority.pem')
  await daemon.compose('up', '--detach', '--no-deps', 'proxy')
  const copy = () =>
    daemon.compose('cp', ROOT_CERTIFICATE, file).then(
      () => true,
      () => false,
    )
  await eventually('the certificate of Caddy’s authority', copy)
  await chmod(file, 0o644)
  return file
}

/** From the other machine, where the three names lead to Docker's. */
async function visit(folder: string, daemon: Daemon, pid: string, authority: string, check: Check) {
  const hosts = join(folder, 'hosts')
  const lines = Object.values(HOSTS).map((host) => `${MACHINE} ${host}\n`)
  await writeFile(hosts, `127.0.0.1 localhost\n${lines.join('')}`)
  const mounted = 'mount --bind "$0" /etc/hosts; exec "$@"'
  const program = [process.execPath, '--no-warnings', INSIDE]
  const command = ['nsenter', '-t', pid, '-n', 'unshare', '-m', 'sh', '-ec', mounted, hosts, ...program]
  const trust = { NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: authority }
  await tryInside(command, check, { ...process.env, ...daemon.env, ...trust })
}
