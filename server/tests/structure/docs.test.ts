import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BROUGHT_ALONG } from './layers.ts'
import { filesBelow, ROOT } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §3: documents name only what is there'

interface Document {
  path: string
  text: string
}

const ROOT_DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
const FOLDERS = [
  'contract',
  'client',
  'react',
  'web',
  'examples',
  ...BROUGHT_ALONG,
  'server',
  'acceptance',
  'bench',
  'engines',
  'scripts',
  'deploy',
  'docs',
  '.github',
]
/** Documents name these from `server/src`, as ARCHITECTURE.md does. */
const SERVER_FOLDERS = [
  'platform',
  'ports',
  'adapters',
  'directory',
  'access',
  'features',
  'sandbox',
  'compose',
  'commands',
  'configuration',
]
const ROOT_FILES = [
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  'package.json',
  'biome.json',
  'tsconfig.json',
  '.env.example',
]
/** Made by running something: not in a fresh checkout. */
const GENERATED = ['bench/results', 'web/dist']

/** Text without fenced blocks, which hold examples; lines stay where they are. */
function prose(text: string): string {
  return text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replaceAll(/[^\n]/g, ''))
}

/** Where a word in backticks would lie; undefined where it is no path of ours. */
function placesOf(word: string): string[] | undefined {
  const path = word.replace(/(:\d+(-\d+)?|#[\w-]*)$/, '').replace(/\/$/, '')
  if (!/^[\w@.-]+(\/[\w@.*-]+)*$/.test(path)) return undefined
  const [first = ''] = path.split('/')
  if (GENERATED.some((made) => path === made || path.startsWith(`${made}/`))) return undefined
  if (!path.includes('/') && !word.endsWith('/')) return ROOT_FILES.includes(path) ? [path] : undefined
  if (FOLDERS.includes(first)) return [path]
  if (SERVER_FOLDERS.includes(first)) return [`server/src/${path}`, `server/src/${path}.ts`]
  return undefined
}

function exists(path: string): boolean {
  if (!path.includes('*')) return existsSync(join(ROOT, path))
  const folder = path.slice(0, path.indexOf('*')).replace(/[^/]*$/, '')
  const pattern = new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replaceAll('**', '.+')
      .replaceAll(/(?<!\.)\*|(?<=\/)\*/g, '[^/]+')}`,
  )
  return filesBelow(folder).some((file) => pattern.test(file))
}

function* linesOf(text: string): Generator<[number, string]> {
  for (const [index, line] of prose(text).split('\n').entries()) yield [index + 1, line]
}

function pathViolations({ path, text }: Document): Violation[] {
  const found: Violation[] = []
  for (const [line, content] of linesOf(text)) {
    for (const [, word = ''] of content.matchAll(/`([^`]+)`/g)) {
      const places = placesOf(word)
      if (places && !places.some(exists)) found.push({ path, line, what: `${word} is not there` })
    }
  }
  return found
}

function linkViolations({ path, text }: Document): Violation[] {
  const found: Violation[] = []
  for (const [line, content] of linesOf(text)) {
    for (const [, target = ''] of content.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)/g)) {
      if (/^([a-z]+:|\/\/)/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const leadsTo = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), decodeURI(file)))
      if (leadsTo !== path && !existsSync(join(ROOT, leadsTo)))
        found.push({ path, line, what: `the link to ${target} leads nowhere` })
      else if (
        anchor &&
        leadsTo.endsWith('.md') &&
        !anchorsOf(leadsTo === path ? text : read(leadsTo)).includes(anchor)
      ) {
        found.push({ path, line, what: `${leadsTo} has no heading #${anchor}` })
      }
    }
  }
  return found
}

/** Addresses of headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...prose(text).matchAll(/^#{1,6}\s+(.+)$/gm)].map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const documents = [...ROOT_DOCUMENTS, ...FOLDERS.flatMap(filesBelow)]
  .filter((path) => path.endsWith('.md'))
  .filter((path) => existsSync(join(ROOT, path)))
  .map((path) => ({ path, text: read(path) }))

describe('documents', () => {
  it('name only paths that are there', () => {
    expectNone(RULE, documents.flatMap(pathViolations))
  })

  it('link only to what is there', () => {
    expectNone(RULE, documents.flatMap(linkViolations))
  })

  it('name the scripts that the repository has, no more and no fewer', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const [, named = ''] = /few scripts: (.+)/.exec(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')) ?? []
    // what npm runs by itself is no script for people
    const known = Object.keys(scripts).filter((name) => name !== 'postinstall')
    expect(named.split(' ').sort()).toEqual(known.sort())
  })
})

describe('the rules', () => {
  const inProse = (text: string) => ({ path: 'docs/example.md', text })

  it('find a path that is gone', () => {
    const text = 'See `server/src/gone.ts`\n```\n`server/src/also-gone.ts`\n```\nand `platform/gone.ts:12`.'
    expect(pathViolations(inProse(text)).map(({ line }) => line)).toEqual([1, 5])
  })

  it.each([
    '`server/tests/structure/` and `server/tests/structure/docs.test.ts:3`',
    '`platform/ids.ts`, `platform/ids`, `server/migrations/*.sql`',
    '`/auth/sign-in`, `features/<name>/`, `npm run check`, `text/html`, `bench/results/`',
  ])('let pass: %s', (text) => {
    expect(pathViolations(inProse(text))).toEqual([])
  })

  it('find links that lead nowhere', () => {
    const text =
      '# A page, of `ours`\n[a](gone.md) [b](../server/tests) [c](#a-page-of-ours) [d](#gone) [e](https://x.y/z)'
    expect(linkViolations(inProse(text)).map(({ what }) => what)).toEqual([
      'the link to gone.md leads nowhere',
      'docs/example.md has no heading #gone',
    ])
  })
})
