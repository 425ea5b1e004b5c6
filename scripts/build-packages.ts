import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from './command-line.ts'

const USAGE = `npm run build [-- folder]

What others install, made from the workspaces, which the repository itself uses unbuilt. In .packages, or the folder,
there is then a folder for each package, and beside it its tarball: npm publish .packages/client publishes one. What an
earlier run has left there is replaced; a folder with anything else in it is refused.`

const ROOT = join(import.meta.dirname, '..')
const PACKAGES = ['contract', 'client', 'react'] as const
/** Modules of these names are tested here, and stay out of the packages. */
const TEST = /\.test\.(js|d\.ts)$/

interface Manifest {
  name: string
  version: string
  exports: Record<string, string>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  [field: string]: unknown
}

/** What is in the folder beside the packages. */
const OWN_FILE = /^(\.build|tsconfig\.json|atrium-.*\.tgz)$/

const { positionals, refuse } = readCommandLine({ usage: USAGE, names: 1 })
const target = positionals[0] ?? join(ROOT, '.packages')
const foreign = existsSync(target) ? readdirSync(target).find((name) => !isOwn(name)) : undefined
if (foreign !== undefined) refuse(`${target} is not empty, and ${foreign} in it is not of an earlier run`)
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
compile(join(target, '.build'))
for (const name of PACKAGES) stage(name)
rmSync(join(target, '.build'), { recursive: true })
for (const name of PACKAGES) console.log(pack(name))

function isOwn(name: string): boolean {
  return OWN_FILE.test(name) || PACKAGES.some((own) => own === name)
}

/** ESM and declarations of all packages at once: they import each other's sources. */
function compile(outDir: string): void {
  const configuration = join(target, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    // what browsers and Node 20 understand
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
    types: [],
    rootDir: ROOT,
    outDir,
  }
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions,
    include: PACKAGES.map((name) => join(ROOT, name)),
    exclude: [join(ROOT, '**/*.test.ts'), join(ROOT, 'client/tests')],
  }
  writeFileSync(configuration, JSON.stringify(settings))
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', configuration], ROOT)
  rmSync(configuration)
}

function stage(name: string): void {
  const folder = join(target, name)
  const dist = join(folder, 'dist')
  mkdirSync(folder)
  renameSync(join(target, '.build', name), dist)
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (TEST.test(file)) throw new Error(`${name}: ${file} is a test`)
    if (file.endsWith('.d.ts')) rewriteSpecifiers(join(dist, file))
  }
  copyFileSync(join(ROOT, name, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(name), null, 2)}\n`)
}

/** The compiler leaves the `.ts` of relative imports in declarations as they are. */
function rewriteSpecifiers(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/((?:from |import\()['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1.js'))
}

/** What the workspace says of itself, with the built files in place of its sources. */
function manifestOf(name: string): Manifest {
  const { private: _, scripts: __, devDependencies: ___, ...own } = manifestIn(name)
  const built = Object.entries(own.exports).map(([path, source]) => {
    const file = source.replace(/^\.\//, './dist/').replace(/\.ts$/, '')
    return [path, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  return {
    ...own,
    exports: { ...Object.fromEntries(built), './package.json': './package.json' },
    files: ['dist'],
    sideEffects: false,
    engines: { node: '>=20' },
    ...(own.dependencies && { dependencies: pinned(own.dependencies) }),
    ...(own.peerDependencies && { peerDependencies: pinned(own.peerDependencies) }),
  }
}

/** Packages of one build fit each other, and no others are promised to. */
function pinned(dependencies: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => {
      const sibling = PACKAGES.find((one) => name === `@atrium/${one}`)
      return [name, sibling ? manifestIn(sibling).version : range]
    }),
  )
}

function manifestIn(name: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, name, 'package.json'), 'utf8')) as Manifest
}

/** @returns the path of the tarball */
function pack(name: string): string {
  const output = run('npm', ['pack', '--json', '--pack-destination', target], join(target, name))
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('['))) as [{ filename: string }]
  return join(target, filename)
}

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}
