import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { build } from 'vite'
import { BUILT_FOLDER, isBuilt, STAMP_FILE, stampOfSources } from './built-folder.ts'
import { ownFiles, pagePaths } from './page-paths.ts'
import { viteOptions } from './vite-options.ts'

/**
 * Builds the web office, unless it stands already as the sources are: `npm ci` runs it, and an office that finds nothing
 * or something older. What is served meanwhile stays whole: the new folder takes the place of the old one at the end.
 */

const TEXTS = /\.(js|css|html|svg|json|webmanifest)$/
/** Below this a compressed form saves nothing. */
const COMPRESSED_FROM_BYTES = 1_024
/** The best level takes ten times as long for 8 %: it is worth it where everybody waits for the file. */
const brotliOf = (path: string) => ({
  params: { [zlib.BROTLI_PARAM_QUALITY]: basename(path).startsWith(`${EVERY_PAGE.name}-`) ? 11 : 9 },
})

/**
 * What every first page loads is one file: twenty small ones cost a slow network more in waiting than in bytes. The screens
 * stay files of their own.
 */
const EVERY_PAGE = {
  name: 'every-page',
  test: new RegExp(
    [
      '/node_modules/(react|react-dom|scheduler|use-sync-external-store)/',
      '/node_modules/@tanstack/(react-router|router-core|history|store|react-store)/',
      // before every other style, which may say otherwise
      '/web/src/(tokens|base)\\.css$',
      '/web/src/live/(office-client|of-person|use-action|use-session|ended|problem|preferences)\\.ts$',
      '/web/src/ui/(button|icon|state|page-heading|page-title|class-names|fields/text-field|overlays/notices)\\.',
      '/web/src/shell/(go|waiting|outside/[a-z-]+)\\.',
      '/web/src/words/(language|words-of|problems|instead)\\.ts$',
    ]
      .join('|')
      .replaceAll('/', '[\\\\/]'),
  ),
}

/** What the screens of signing in share: with the file above no more than a browser asks for at once. */
const SIGNING_IN = {
  name: 'signing-in',
  // what they need others need too
  includeDependenciesRecursively: false,
  test: /[\\/]web[\\/]src[\\/](sign-in[\\/](code-step|next-address|use-arrival|use-offer)|words[\\/]sign-in)\./,
}

/** What draws the plan, on the floor and beside the screens before it: one file of scripts and one of styles. */
const PLAN = {
  name: 'plan',
  includeDependenciesRecursively: false,
  test: new RegExp(
    [
      '/web/src/floor/plan(-picture)?/',
      '/web/src/floor/plan-view/((atrium|room|walls)-drawing|lengths)\\.',
      '/web/src/floor/plan-view/(plan|room|face)\\.css$',
    ]
      .join('|')
      .replaceAll('/', '[\\\\/]'),
  ),
}

const FIRST_WORDS = /^src\/words\/[a-z]+\/at-the-door\.ts$/

/** What a page needs to come up without a network: every screen with its words, and what waits to be sent. */
const OF_SHELL =
  /^index\.html$|^src\/chosen-at-once\.ts$|^src\/shell\/shell\.tsx$|-screen\.tsx$|^src\/words\/|\/client\/outbox\.ts$/

if (!isBuilt() || process.argv.includes('--anew')) await buildAll()

async function buildAll(): Promise<void> {
  const stamp = stampOfSources()
  const draft = `${BUILT_FOLDER}.${process.pid}`
  try {
    await build({
      ...viteOptions,
      logLevel: 'warn',
      build: {
        outDir: draft,
        emptyOutDir: true,
        manifest: true,
        target: 'es2022',
        // a warning for people who do not measure: engines/web does
        chunkSizeWarningLimit: 2_000,
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        rolldownOptions: { output: { codeSplitting: { groups: [EVERY_PAGE, SIGNING_IN, PLAN] } } },
      },
    })
    const manifest = JSON.parse(await readFile(join(draft, '.vite/manifest.json'), 'utf8')) as Manifest
    await writeOwnFiles(draft, manifest)
    await writeShell(draft, manifest)
    await compressAll(draft)
    await writeFile(join(draft, STAMP_FILE), stamp)
    await rm(BUILT_FOLDER, { recursive: true, force: true })
    await rename(draft, BUILT_FOLDER)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

type Manifest = Readonly<Record<string, Chunk>>

/** The page once more for each screen that has a file of its own, with what that screen loads. */
async function writeOwnFiles(folder: string, manifest: Manifest): Promise<void> {
  // no server knows which language is chosen: the first words come with the page in all of them
  const words = Object.keys(manifest).filter((source) => FIRST_WORDS.test(source))
  const page = join(folder, 'index.html')
  const html = withLinks(
    await readFile(page, 'utf8'),
    words.map((source) => manifest[source]?.file ?? ''),
  )
  await writeFile(page, html)
  for (const { file, screen } of ownFiles) {
    const files = [...filesOf(manifest, screen)].filter((one) => !html.includes(one))
    await writeFile(join(folder, file), withLinks(html, files))
  }
}

/** Tells the worker which files are the shell of this build. */
async function writeShell(folder: string, manifest: Manifest): Promise<void> {
  const files = new Set<string>()
  for (const source of Object.keys(manifest).filter((one) => OF_SHELL.test(one)))
    filesOf(manifest, source, files)
  const main = manifest['index.html']?.file ?? ''
  const shell = {
    // the page names it, and its name changes with whatever it leads to
    version: basename(main),
    files: [...files]
      .sort()
      .map((one) => `/${one}`)
      .concat('/favicon.svg', '/manifest.webmanifest'),
    pages: [...new Set(Object.values(pagePaths).map((path) => path.split('/')[1]))],
  }
  const worker = join(folder, 'push-worker.js')
  await writeFile(worker, `self.SHELL = ${JSON.stringify(shell)}\n${await readFile(worker, 'utf8')}`)
}

/** Asks for files with the page, before its scripts do. */
function withLinks(html: string, files: readonly string[]): string {
  const links = files.map((one) =>
    one.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="/${one}">`
      : `<link rel="modulepreload" crossorigin href="/${one}">`,
  )
  return html.replace('</head>', `${links.join('\n')}\n</head>`)
}

/** Scripts and styles that a source needs before it runs. */
function filesOf(manifest: Manifest, source: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[source]
  if (!chunk) throw new Error(`${source} is not in the manifest`)
  if (files.has(chunk.file)) return files
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, files)
  return files
}

async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(paths.map(compress))
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < COMPRESSED_FROM_BYTES) return
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotliOf(path)))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
