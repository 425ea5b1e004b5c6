import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { access, constants, lchown, lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { codeOf, EmbeddedPostgresFailure } from './failure.ts'

/** As whom PostgreSQL runs. Without `switchTo` it runs as ourselves. */
export interface Account {
  /** For messages. */
  name: string
  /** Set only where we are root, as which PostgreSQL refuses to run. */
  switchTo?: { uid: number; gid: number }
  /** Path of util-linux `setpriv`, where it can tie a child's life to ours. */
  setpriv?: string
}

/** What a finished program left behind. `code` is undefined where it could not even be started. */
export interface Finished {
  code: number | undefined
  output: string
}

const SETPRIV_PATHS = ['/usr/bin/setpriv', '/bin/setpriv', '/usr/local/bin/setpriv']

/** True where PostgreSQL would refuse to run as us. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * The account for PostgreSQL: ourselves, or as root the owner of the cluster that exists already, else the user
 * `postgres`, else `nobody`. Only accounts of /etc/passwd: PostgreSQL fails under a uid without a name.
 * Throws where root has none of these.
 */
export async function chooseAccount(clusterOwner: number | undefined): Promise<Account> {
  if (!isRoot()) return withSetpriv({ name: 'this user' })
  const users = await readUsers()
  const user =
    users.find(({ uid }) => uid !== 0 && uid === clusterOwner) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody')
  if (user === undefined) {
    throw new EmbeddedPostgresFailure(
      'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody. ' +
        'Start Atrium as an ordinary user, or set DATABASE_URL.',
    )
  }
  return withSetpriv({ name: `user ${user.name}`, switchTo: { uid: user.uid, gid: user.gid } })
}

async function readUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => /^\d+$/.test(fields[2] ?? '') && /^\d+$/.test(fields[3] ?? ''))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

async function withSetpriv(account: Account): Promise<Account> {
  // The kernel sends the signal when the spawning *thread* ends, so a worker must not tie a database to itself.
  if (process.platform !== 'linux' || !isMainThread) return account
  for (const setpriv of SETPRIV_PATHS) {
    if (
      await access(setpriv, constants.X_OK).then(
        () => false,
        () => true,
      )
    )
      continue
    const candidate = { ...account, setpriv }
    if ((await runAs(candidate, setpriv, ['--version'])).code === 0) return candidate
  }
  return account
}

/** What happens to the program when we die by kill -9: a clean stop for the server, an end for everything else. */
type OnParentDeath = 'INT' | 'KILL'

/** Starts a program as `account`, in `/`, with an empty environment but for `LC_ALL=C`. */
export function spawnAs(
  account: Account,
  program: string,
  args: string[],
  options: SpawnOptions & { onParentDeath: OnParentDeath },
): ChildProcess {
  const { onParentDeath, ...spawnOptions } = options
  const { switchTo, setpriv } = account
  // PG* variables of the terminal must not reach PostgreSQL; LC_ALL=C keeps its messages in English for us to read.
  const fixed = { ...spawnOptions, cwd: '/', env: { LC_ALL: 'C' }, windowsHide: true }
  if (setpriv === undefined) return spawn(program, args, { ...fixed, ...switchTo })
  const identity = switchTo ? [`--reuid=${switchTo.uid}`, `--regid=${switchTo.gid}`, '--clear-groups'] : []
  return spawn(setpriv, [...identity, '--pdeathsig', onParentDeath, '--', program, ...args], fixed)
}

/** Runs a program as `account` to its end. Never throws: a program that cannot be started has no `code`. */
export function runAs(account: Account, program: string, args: string[]): Promise<Finished> {
  return new Promise((resolve) => {
    let output = ''
    let child: ChildProcess
    try {
      child = spawnAs(account, program, args, { stdio: ['ignore', 'pipe', 'pipe'], onParentDeath: 'KILL' })
    } catch (error) {
      // Some failures of spawn (a uid the kernel refuses) are thrown, not emitted.
      return resolve({ code: undefined, output: String(error) })
    }
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: undefined, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? undefined, output: output.trim() }))
  })
}

/** Gives a file or a folder with all inside to `account`; nothing to do where PostgreSQL runs as ourselves. */
export async function giveTo(account: Account, path: string): Promise<void> {
  const owner = account.switchTo
  if (owner === undefined) return
  const found = await lstat(path).catch(ignoreGone)
  if (found === undefined) return
  // Never through a link: it could lead to a file that is none of ours.
  if (found.uid !== owner.uid || found.gid !== owner.gid)
    await lchown(path, owner.uid, owner.gid).catch(ignoreGone)
  if (!found.isDirectory()) return
  for (const entry of (await readdir(path).catch(ignoreGone)) ?? []) await giveTo(account, join(path, entry))
}

/** A server that is just ending removes files while we walk. */
function ignoreGone(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
