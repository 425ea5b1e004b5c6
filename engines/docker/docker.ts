import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trustedProxies } from '@atrium/server/src/platform/http/connections/client-address.ts'
import { parse } from 'yaml'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { type Ends, end } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { type Daemon, installDocker, startDocker } from './daemon.ts'
import { bringStandIn, installStandIns, STAND_IN } from './stand-ins.ts'

const FOLDER = fileURLToPath(new URL('../../deploy/compose', import.meta.url))
/** Caddy is its own authority for such names. */
const HOSTS = {
  OFFICE_HOST: 'office.localhost',
  MEDIA_HOST: 'media.localhost',
  STORE_HOST: 'files.localhost',
}
const MACHINE = '203.0.113.1'
const CLIENTS = ['203.0.113.10', '203.0.113.11']

interface Service {
  networks: string[] | Record<string, unknown>
  ports?: string[]
  environment: Record<string, string>
}
interface Project {
  services: Record<'proxy' | 'atrium', Service>
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>
}

/** The networks of the compose file in a real Docker; its parts but the proxy are not started. */
export const docker: Engine = {
  name: 'docker',
  about:
    'the networks of the compose file in Docker (Debian), through Caddy from two addresses; not the other parts',
  install: async () => (await installDocker()) ?? (await installStandIns()),
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-docker-'))
    const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
    try {
      const daemon = await startDocker(folder, ends)
      await bringStandIn(folder, daemon)
      console.log(
        '  - docker: Debian’s Caddy stands in for its image, a page that says who asks for the node',
      )
      await tryNetworks(daemon, check, ends)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}

async function tryNetworks(daemon: Daemon, check: Check, ends: Ends): Promise<void> {
  const project = parse(await readFile(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true }) as Project
  const isProxy = trustedProxies(project.services.atrium.environment.TRUST_PROXY?.split(',') ?? [])
  assert.ok(isProxy, 'the compose file believes no proxy')
  const client = await startClient(daemon, ends)
  await startParts(daemon, project, ends)
  const ask = (address: string) => askAs(client, address)
  await check('the node believes the proxy, which says the address of each of two clients', async () => {
    for (const address of CLIENTS) {
      const { peer, client } = await ask(address)
      assert.ok(isProxy(peer), `the proxy comes from ${peer}`)
      assert.equal(client, address)
    }
  })
  await check(
    'in a second common network the proxy would come from an address that is not believed',
    async () => {
      await daemon.docker('network', 'connect', 'outside', 'proxy')
      // Caddy asks Docker for the name again every two seconds
      await eventually(
        'the proxy comes from elsewhere',
        async () => !isProxy((await ask(CLIENTS[0] ?? '')).peer),
      )
    },
  )
}

/** Joins each part to the networks that the file names, in Compose's order: by name. */
async function startParts({ docker }: Daemon, { services, networks }: Project, ends: Ends): Promise<void> {
  for (const [name, network] of Object.entries(networks)) {
    const subnet = network?.ipam?.config[0]?.subnet
    const options = [...(network?.internal ? ['--internal'] : []), ...(subnet ? [`--subnet=${subnet}`] : [])]
    await docker('network', 'create', ...options, name)
  }
  const file = '/etc/caddy/Caddyfile'
  const hosts = Object.entries(HOSTS).map(([name, host]) => `--env=${name}=${host}`)
  const ports = (services.proxy.ports ?? []).map((port) => `--publish=${port}`)
  const commands = {
    atrium: [STAND_IN, 'httpd', '-f', '-p', '3000', '-h', '/www'],
    proxy: [
      ...[...hosts, ...ports, `--volume=${join(FOLDER, 'Caddyfile')}:${file}:ro`, STAND_IN],
      ...['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
    ],
  }
  ends.push(() => docker('rm', '--force', ...Object.keys(commands)))
  for (const [name, command] of Object.entries(commands)) {
    const { networks: named } = services[name as keyof typeof commands]
    const [first = '', ...others] = (Array.isArray(named) ? named : Object.keys(named)).sort()
    await docker('create', `--name=${name}`, `--network=${first}`, `--network-alias=${name}`, ...command)
    for (const other of others) await docker('network', 'connect', `--alias=${name}`, other, name)
    await docker('start', name)
  }
}

/** A machine beside Docker's, with both addresses. @returns the process that has its network */
async function startClient(daemon: Daemon, ends: Ends): Promise<string> {
  const machine = spawn('unshare', ['-n', 'sleep', 'infinity'], { stdio: 'ignore' })
  ends.push(() => end(machine))
  const pid = String(machine.pid)
  const link = ['ip', 'link', 'add', 'out0', 'type', 'veth', 'peer', 'name', 'out1', 'netns', pid]
  const apart = () => run('nsenter', ['-t', pid, '-n', 'readlink', '/proc/self/ns/net'])
  const ours = await run('readlink', ['/proc/self/ns/net'])
  await eventually('the client has a network of its own', async () => (await apart()) !== ours)
  await daemon.inside(...link)
  await daemon.inside('sh', '-ec', `ip addr add ${MACHINE}/24 dev out0; ip link set out0 up`)
  const addresses = CLIENTS.map((address) => `ip addr add ${address}/24 dev out1`).join('; ')
  await run('nsenter', ['-t', pid, '-n', 'sh', '-ec', `${addresses}; ip link set out1 up`])
  return pid
}

async function askAs(pid: string, address: string): Promise<{ peer: string; client: string }> {
  const { OFFICE_HOST: host } = HOSTS
  const options = ['--silent', '--fail', '--insecure', '--max-time', '10', '--interface', address]
  const request = [...options, '--resolve', `${host}:443:${MACHINE}`, `https://${host}/cgi-bin/who`]
  const ask = () => run('nsenter', ['-t', pid, '-n', 'curl', ...request]).catch(() => undefined)
  const said = await eventually('the office answers through the proxy', ask)
  const [peer = '', client = ''] = said.split(' ')
  return { peer: peer.replace(/^\[?(::ffff:)?/, '').replace(/\]$/, ''), client }
}
