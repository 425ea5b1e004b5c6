import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { type Ends, end, start } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { type Account, postgresAccount } from './account.ts'

/** What docs/operations/failover.md asks for, in seconds: the lease of the primary, and the times that follow from it. */
const LEASE = { ttl: 20, loop_wait: 5, retry_timeout: 5 }
const PASSWORD = 'of-a-test'
const NAMES = ['one', 'two'] as const
const BINARIES = '/usr/lib/postgresql/15/bin'
/** A copy is made anew where the old primary cannot follow: a few seconds on a quiet machine. */
const PATIENCE = { withinMs: 240_000, everyMs: 200 }

export interface Cluster {
  /** The address of the primary, by way of HAProxy. */
  adminUrl: string
  /** Kills the primary, and its Patroni, with SIGKILL. @returns brings the machine back */
  killPrimary(): Promise<() => void>
  /** What `patronictl switchover` asks for. */
  switchOver(): Promise<void>
  /** Until there are a primary and a standby that has all that is acknowledged. */
  untilWhole(): Promise<void>
}

interface Member {
  name: string
  folder: string
  port: number
  /** Of its Patroni. */
  api: string
  configuration: string
  patroni: ChildProcess | undefined
}

/** Two PostgreSQL under Patroni, one etcd, and HAProxy before them. */
export async function startCluster(folder: string, ends: Ends): Promise<Cluster> {
  const account = await postgresAccount()
  const etcd = await startEtcd(folder, ends)
  const members: Member[] = []
  for (const name of NAMES) members.push(await prepareMember({ name, folder, etcd, account }))
  const launch = (member: Member) => {
    member.patroni = spawn('patroni', [member.configuration], {
      stdio: 'ignore',
      ...account,
      env: { PATH: `${BINARIES}:${process.env.PATH}`, HOME: member.folder },
    })
  }
  for (const member of members) {
    launch(member)
    ends.push(async () => void (member.patroni && (await end(member.patroni))))
  }
  const port = await startProxy(folder, members, ends)
  const untilWhole = () => eventually('the cluster is whole', () => isWhole(members), PATIENCE).then(() => {})
  await untilWhole()
  return {
    adminUrl: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    untilWhole,
    async killPrimary() {
      const primary = await primaryOf(members)
      const postmaster = await readFile(join(primary.folder, 'data', 'postmaster.pid'), 'utf8')
      primary.patroni?.kill('SIGKILL')
      process.kill(Number.parseInt(postmaster, 10), 'SIGKILL')
      return () => launch(primary)
    },
    async switchOver() {
      const { api, name } = await primaryOf(members)
      const body = JSON.stringify({ leader: name })
      const answer = await fetch(`${api}/switchover`, { method: 'POST', body })
      const said = await answer.text()
      if (!answer.ok) throw new Error(`Patroni refuses to switch over: ${said}`)
    },
  }
}

async function startEtcd(folder: string, ends: Ends): Promise<string> {
  const [clients, peers] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${clients}`
  const peerUrl = `http://127.0.0.1:${peers}`
  const settings = [
    ...['--data-dir', join(folder, 'etcd'), '--logger', 'zap', '--log-level', 'error', '--name', 'only'],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `only=${peerUrl}`],
  ]
  start('etcd', settings, { PATH: process.env.PATH }, ends)
  return `127.0.0.1:${clients}`
}

async function prepareMember(place: {
  name: string
  folder: string
  etcd: string
  account: Account
}): Promise<Member> {
  const folder = join(place.folder, place.name)
  await mkdir(folder)
  const [port, apiPort] = [await freePort(), await freePort()]
  const api = `127.0.0.1:${apiPort}`
  const configuration = join(folder, 'patroni.yml')
  // JSON is YAML
  await writeFile(configuration, JSON.stringify(settingsOf({ ...place, folder, port, api }), undefined, 2))
  const { uid, gid } = place.account
  if (uid !== undefined && gid !== undefined)
    for (const path of [folder, configuration]) await chown(path, uid, gid)
  return { name: place.name, folder, port, api: `http://${api}`, configuration, patroni: undefined }
}

function settingsOf(member: { name: string; folder: string; etcd: string; port: number; api: string }) {
  const address = `127.0.0.1:${member.port}`
  return {
    ...{ scope: 'atrium', name: member.name },
    restapi: { listen: member.api, connect_address: member.api },
    etcd3: { hosts: member.etcd },
    bootstrap: {
      dcs: {
        ...LEASE,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on' } },
      },
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(member.folder, 'data'),
      bin_dir: BINARIES,
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 md5',
        'host replication all 127.0.0.1/32 md5',
      ],
      parameters: { unix_socket_directories: member.folder, password_encryption: 'md5' },
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD },
      },
    },
  }
}

/** As docs/operations/failover.md says. @returns the port of the primary */
async function startProxy(folder: string, members: readonly Member[], ends: Ends): Promise<number> {
  const port = await freePort()
  const servers = members.map(
    ({ name, port: own, api }) => `  server ${name} 127.0.0.1:${own} check port ${new URL(api).port}`,
  )
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers,
  ]
  const configuration = join(folder, 'haproxy.cfg')
  await writeFile(configuration, `${lines.join('\n')}\n`)
  start('/usr/sbin/haproxy', ['-q', '-db', '-f', configuration], { PATH: process.env.PATH }, ends)
  return port
}

interface Listed {
  name: string
  role: string
  state: string
}

/** As each Patroni tells of the cluster; of one that is away nothing. */
async function membersOf({ api }: Member): Promise<Listed[]> {
  const answer = await fetch(`${api}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  if (!answer?.ok) return []
  const { members = [] } = (await answer.json()) as { members?: Listed[] }
  return members
}

async function isWhole(members: readonly Member[]): Promise<boolean> {
  const views = await Promise.all(members.map(membersOf))
  return views.every(
    (view) =>
      view.some(({ role, state }) => role === 'leader' && state === 'running') &&
      view.some(({ role, state }) => role === 'sync_standby' && ['running', 'streaming'].includes(state)),
  )
}

async function primaryOf(members: readonly Member[]): Promise<Member> {
  for (const member of members) {
    const answer = await fetch(`${member.api}/primary`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return member
  }
  throw new Error('there is no primary')
}
