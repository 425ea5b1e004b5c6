import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BROUGHT_ALONG } from './layers.ts'
import { type Literal, lineAt, scanText } from './scan-text.ts'

/** A TypeScript file of the repository, or of a test that makes one up. */
export interface SourceFile {
  /** From the root of the repository: `server/src/compose/app.ts`. */
  path: string
  text: string
  /** The text with comments and the words of templates blanked. */
  code: string
  literals: Literal[]
  imports: Import[]
}

export interface Import {
  specifier: string
  line: number
  /** `augmentation`: `declare module '…'`, which leans on the other file as a type import does. */
  way: 'import' | 'export' | 'dynamic' | 'augmentation'
  /** Gone at run time: `import type`, `export type`, `typeof import()`. */
  typeOnly: boolean
  /** The file of ours that it leads to. */
  target: string | undefined
  /** The npm package that it leads to, `node:…` for a module of Node. */
  package: string | undefined
}

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..')

const FOLDERS = [
  'contract',
  'client',
  'react',
  'web',
  ...BROUGHT_ALONG,
  'server',
  'acceptance',
  'bench',
  'demo',
  'engines',
  'scripts',
]
const SKIPPED = new Set(['node_modules', '.atrium', '.engines', 'fixtures', 'results', 'dist'])

let known: SourceFile[] | undefined

/** Every TypeScript file of the repository. Read once. */
export function sourceFiles(): SourceFile[] {
  known ??= FOLDERS.flatMap((folder) => filesBelow(folder))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => sourceFile(path, readFileSync(join(ROOT, path), 'utf8')))
  return known
}

/** Paths of all files below a folder of the repository, sorted; none where the folder is not there. */
export function filesBelow(folder: string): string[] {
  let entries: string[]
  try {
    entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
  return entries
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.split('/').some((part) => SKIPPED.has(part)))
    .sort()
}

/** Reads a text as the file at `path`. The file need not exist: tests of the rules make theirs up. */
export function sourceFile(path: string, text: string): SourceFile {
  const { code, literals } = scanText(text)
  return { path, text, code, literals, imports: importsOf(path, code) }
}

/** A test, or something only tests use: a conformance suite, the test house. */
export function isTest(path: string): boolean {
  return /(\.(test|conformance)|-fixture)\.tsx?$/.test(path) || path.startsWith('server/tests/')
}

const STATEMENT = /^(import|export)\s+(type\s+)?(?:[\w*$\s,{}]+?\s+from\s+)?['"]([^'"]+)['"]/gm
const CALL = /(typeof\s+)?\bimport\(\s*['"]([^'"]+)['"]\s*\)(\.[A-Z])?/g
const AUGMENTATION = /^declare module\s+['"]([^'"]+)['"]/gm

function importsOf(path: string, code: string): Import[] {
  const found: Import[] = []
  const add = (specifier: string, offset: number, way: Import['way'], typeOnly: boolean) =>
    found.push({ specifier, line: lineAt(code, offset), way, typeOnly, ...destination(path, specifier) })
  for (const match of code.matchAll(STATEMENT)) {
    const [, keyword, type, specifier = ''] = match
    add(specifier, match.index, keyword === 'export' ? 'export' : 'import', type !== undefined)
  }
  for (const match of code.matchAll(CALL)) {
    const [, typeOf, specifier = '', member] = match
    add(specifier, match.index, 'dynamic', typeOf !== undefined || member !== undefined)
  }
  for (const match of code.matchAll(AUGMENTATION)) add(match[1] ?? '', match.index, 'augmentation', true)
  return found.sort((a, b) => a.line - b.line)
}

type Destination = Pick<Import, 'target' | 'package'>

function destination(path: string, specifier: string): Destination {
  if (specifier.startsWith('.')) {
    return { target: posix.normalize(posix.join(posix.dirname(path), specifier)), package: undefined }
  }
  const own = workspaceExports()[specifier]
  if (own) return { target: own, package: undefined }
  if (specifier.startsWith('node:')) return { target: undefined, package: specifier }
  const parts = specifier.split('/')
  return { target: undefined, package: parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/') }
}

let exportsOfWorkspaces: Record<string, string> | undefined

/** What our own packages export: `@atrium/contract` → `contract/index.ts`. */
function workspaceExports(): Record<string, string> {
  if (exportsOfWorkspaces) return exportsOfWorkspaces
  exportsOfWorkspaces = {}
  for (const folder of ['contract', 'client', 'react', ...BROUGHT_ALONG, 'web']) {
    const declared = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
      exports: Record<string, string>
    }
    for (const [name, file] of Object.entries(declared.exports)) {
      exportsOfWorkspaces[posix.join(`@atrium/${folder}`, name)] = posix.join(folder, file)
    }
  }
  return exportsOfWorkspaces
}
