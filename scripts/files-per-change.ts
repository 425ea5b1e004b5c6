import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine } from './command-line.ts'

const USAGE = `npx node scripts/files-per-change.ts [commit …]

How many files a change touches, at each commit (HEAD where none is named), as a table: the change is begun in a copy of
the commit, and the compiler names the files that have to follow.`

const ROOT = join(import.meta.dirname, '..')
const PACKAGES = ['client', 'contract', 'react', 'server', 'web']

interface Change {
  name: string
  /** A list or a union of its words that stands in another file than the contract's: the compiler is silent there. */
  again?: RegExp
  /** New files that it is written in. */
  makes?: string
  /** Begins it in a copy of the commit. @returns the files that were edited by hand for it, new ones left out */
  begin(folder: string): string[]
}

const CHANGES: readonly Change[] = [
  {
    name: 'a third language of the web office',
    begin(folder) {
      const words = join(folder, 'web/src/words')
      if (existsSync(join(words, 'en'))) cpSync(join(words, 'en'), join(words, 'fr'), { recursive: true })
      return [
        ...edited(folder, 'web/src/words/languages.ts', "de: 'Deutsch'", "de: 'Deutsch', fr: 'Français'"),
        // until 29 November
        ...edited(folder, 'web/src/words/language.ts', "['en', 'de']", "['en', 'de', 'fr']"),
      ]
    },
  },
  {
    name: 'a new status (`focus`)',
    again: /'away'\s*[,|]\s*'busy'|'busy'\s*[,|]\s*'away'/,
    begin: (folder) => [
      ...edited(
        folder,
        'contract/presence.ts',
        "'busy', 'appear_offline']",
        "'busy', 'focus', 'appear_offline']",
      ),
      ...edited(folder, 'contract/shapes.ts', "'away', 'busy']", "'away', 'busy', 'focus']"),
    ],
  },
  {
    name: 'a third calendar provider',
    again: /'provider-a'\s*[,|]\s*'provider-b'/,
    begin: (folder) =>
      ['contract/shapes.ts', 'contract/calendar.ts', 'contract/office.ts'].flatMap((path) =>
        edited(folder, path, "['provider-a', 'provider-b']", "['provider-a', 'provider-b', 'provider-c']"),
      ),
  },
  {
    name: 'an operation',
    makes: ' and its handler and test',
    begin(folder) {
      const [file, handler] = ['contract/account.ts', 'server/src/features/account/delete-account.ts']
      const text = readFileSync(join(folder, file), 'utf8')
      const sibling = text.match(/^ {2}deleteAccount: operation\(\{\n.*?^ {2}\}\),\n/ms)?.[0] ?? ''
      const another = sibling.replace('deleteAccount', 'pauseAccount').replace(/(path: '[^']+)'/, "$1-pause'")
      const made = readFileSync(join(folder, handler), 'utf8').replaceAll('deleteAccount', 'pauseAccount')
      writeFileSync(join(folder, handler.replace('delete', 'pause')), made)
      const table = 'server/src/compose/handlers.ts'
      const taken = "import { deleteAccount } from '../features/account/delete-account.ts'\n"
      edited(folder, table, taken, taken + taken.replaceAll('delete', 'pause'))
      return [
        ...edited(folder, file, sibling, another + sibling),
        ...edited(folder, table, '  deleteAccount,\n', '  deleteAccount,\n  pauseAccount,\n'),
      ]
    },
  },
]

const { positionals } = readCommandLine({ usage: USAGE, names: Number.POSITIVE_INFINITY })
const commits = positionals.length > 0 ? positionals : ['HEAD']
const columns = commits.map((commit) => measure(commit))
console.log(`| change | ${commits.join(' | ')} |\n|---|${commits.map(() => '--:|').join('')}`)
for (const name of columns[0]?.keys() ?? [])
  console.log(`| ${name} | ${columns.map((column) => column.get(name)).join(' | ')} |`)

function measure(commit: string): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-change-'))
  try {
    copyOf(commit, folder)
    const silent = (again: RegExp) => sources(folder).filter((text) => again.test(text)).length
    const rows = CHANGES.map(({ name, again, makes = '', begin }) => {
      const before = complaints(folder)
      const written = again ? `, ${silent(again)} with a list of their own` : ''
      const byHand = begin(folder)
      const followed = generated(folder, byHand)
      const files = new Set([...byHand, ...complaints(folder).filter((file) => !before.includes(file))])
      execFileSync('git', ['checkout', '-q', '.'], { cwd: folder })
      execFileSync('git', ['clean', '-qfd', 'web', 'server'], { cwd: folder })
      return [
        name,
        `${files.size}${makes}${written}${followed.length > 0 ? `; ${followed.length} generated` : ''}`,
      ] as const
    })
    return new Map([
      ...rows,
      ['an operation: files of the product that name it, median', operationFiles(folder)],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
    execFileSync('git', ['worktree', 'prune'], { cwd: ROOT })
  }
}

/** Its packages lead to themselves; everything else is that of this folder. */
function copyOf(commit: string, folder: string): void {
  execFileSync('git', ['worktree', 'add', '-q', '--detach', '--force', folder, commit], { cwd: ROOT })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@atrium'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@atrium') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(ROOT, 'node_modules/@atrium')))
    if (PACKAGES.includes(name) || existsSync(join(folder, name)))
      symlinkSync(join(folder, name), join(modules, '@atrium', name))
}

function complaints(folder: string): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '--pretty', 'false'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
  )
  return [...new Set([...stdout.matchAll(/^([^\s(][^(]*)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))]
}

/** Other files that `npm run generate` writes for it. */
function generated(folder: string, byHand: readonly string[]): string[] {
  spawnSync(process.execPath, [join(folder, 'scripts/generate.ts')], { cwd: folder })
  const changed = execFileSync('git', ['diff', '--name-only'], { cwd: folder, encoding: 'utf8' })
  return changed.split('\n').filter((file) => file !== '' && !byHand.includes(file))
}

function operationFiles(folder: string): string {
  const document = JSON.parse(readFileSync(join(folder, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const ids = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId }) => operationId ?? [])
  const texts = sources(folder)
  const counts = ids.map((id) => {
    const name = new RegExp(`\\b${id}\\b`)
    return texts.filter((text) => name.test(text)).length
  })
  return `${counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)]}`
}

/** Of the product, without what is generated. */
function sources(folder: string): string[] {
  return execFileSync('git', ['ls-files', ...PACKAGES], { cwd: folder, encoding: 'utf8' })
    .split('\n')
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !/(^|\/)tests\/|wire-table/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
}

function edited(folder: string, path: string, from: string, to: string): string[] {
  const file = join(folder, path)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (!text.includes(from)) return []
  writeFileSync(file, text.replaceAll(from, to))
  return [path]
}
