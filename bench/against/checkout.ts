import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Ends } from '../opening.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LOCK = 'package-lock.json'

/** What is compiled there belongs to the files of the other checkout. */
const NOT_SHARED = join('node_modules', '.cache')

/** The whole name of a commit; undefined where the history here does not have it, as in a shallow clone. */
export async function commitNamed(name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  return await git(...args).catch(() => undefined)
}

/** Why nothing can be measured against a commit that is missing, in a sentence. */
export function sentenceOfMissing(name: string): string {
  return `The commit ${name} is not in the history of this clone: fetch all of it (git fetch --unshallow) to measure against it.`
}

/**
 * Checks a commit out beside this checkout, with the packages of its lock file: those of this checkout, linked, where
 * both locks are equal, and otherwise installed.
 * @returns its folder, which is removed at the end
 */
export async function openCheckout(commit: string, ends: Ends): Promise<string> {
  // on the disk of the packages that are linked, and outside of what is looked at by checks
  const beside = join(ROOT, '.engines')
  await mkdir(beside, { recursive: true })
  const folder = await mkdtemp(join(beside, 'against-'))
  // started by root, the embedded database runs as another user, who must be able to get there
  await chmod(folder, 0o755)
  ends.push(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
    await git('worktree', 'prune')
  })
  await git('worktree', 'add', '--detach', '--force', folder, commit)
  if (await locksAreEqual(folder)) await linkPackages(folder)
  else await run('npm', ['ci', '--no-audit', '--no-fund'], folder)
  return folder
}

async function locksAreEqual(folder: string): Promise<boolean> {
  const [here, there] = await Promise.all([ROOT, folder].map((root) => readFile(join(root, LOCK), 'utf8')))
  return here === there
}

/** Hard links, not one symbolic link: a package of the workspaces would lead back into this checkout. */
async function linkPackages(folder: string): Promise<void> {
  await run('cp', ['-al', join(ROOT, 'node_modules'), join(folder, 'node_modules')], ROOT)
  await rm(join(folder, NOT_SHARED), { recursive: true, force: true })
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, ROOT)).trim()
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}
