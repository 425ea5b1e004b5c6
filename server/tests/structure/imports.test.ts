import { describe, expect, it } from 'vitest'
import { DIRECTIONS, EXCEPTIONS, FEATURE_READS, layerOf, PACKAGES, roomOf } from './layers.ts'
import { type Import, isTest, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §5: imports point one way'
const SANDBOX_DOOR = 'server/src/compose/parts/sandbox.ts'

type Check = (file: SourceFile, found: Import) => string | undefined

/** Whether `path` is what a pattern of layers.ts means. */
function fits(path: string, pattern: string): boolean {
  const expression = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]+')
  return new RegExp(`^${expression}${pattern.endsWith('/') ? '' : '$'}`).test(path)
}

function isExcepted(file: SourceFile, found: Import): boolean {
  return EXCEPTIONS.some(({ from, to }) => fits(file.path, from) && fits(found.target ?? '', to))
}

const direction: Check = (file, found) => {
  const from = layerOf(file.path)
  const to = found.target === undefined ? undefined : layerOf(found.target)
  if (!from || !found.target || roomOf(file.path) === roomOf(found.target)) return undefined
  if (from === 'features' && to === 'features') return featureToFeature(file.path, found.target)
  if (isTest(file.path) && to === 'tests' && file.path.startsWith('server/')) return undefined
  if (to === undefined) return `imports ${found.target}, which lies in no layer`
  const { any, types = [] } = DIRECTIONS[from]
  if (from === to && (from === 'adapters' || from === 'features'))
    return `one adapter may not import another: ${found.target}`
  if (any.includes(to) || (types.includes(to) && (found.typeOnly || isTest(file.path)))) return undefined
  if (isExcepted(file, found)) return undefined
  if (types.includes(to)) return `${from} may take only types from ${to}: use import type for ${found.target}`
  return `${from} may not import ${to}: ${found.target}`
}

function featureToFeature(path: string, target: string): string | undefined {
  const [from, to] = [path, target].map((file) => file.split('/')[3])
  const listed = FEATURE_READS.some((pair) => pair.from === from && pair.to === to)
  if (!listed) return `feature ${from} may not import feature ${to}: ${target} (FEATURE_READS in layers.ts)`
  if (target === `server/src/features/${to}/reads.ts`) return undefined
  return `feature ${from} may ask ${to} only through its reads.ts, not ${target}`
}

const sandboxDoor: Check = (file, found) => {
  if (!found.target || layerOf(found.target) !== 'sandbox') return undefined
  if (layerOf(file.path) === 'sandbox' || isTest(file.path)) return undefined
  if (file.path !== SANDBOX_DOOR) return `only compose/parts/sandbox.ts loads the sandbox: ${found.target}`
  return found.way === 'dynamic'
    ? undefined
    : `the sandbox is loaded by import(), so that production never does`
}

const packagePlace: Check = (file, found) => {
  const layer = layerOf(file.path)
  if (!found.package || isTest(file.path) || !layer) return undefined
  if (['tests', 'acceptance', 'bench', 'engines', 'scripts'].includes(layer)) return undefined
  if (found.package.startsWith('node:')) {
    const closed = ['contract', 'client', 'ports'].includes(layer) || file.path.startsWith('web/src/')
    return closed ? `${layer} may not use ${found.package}` : undefined
  }
  const places = PACKAGES[found.package]
  if (!places) return `the package ${found.package} has no place yet (PACKAGES in layers.ts)`
  if (places.some((place) => fits(file.path, place))) return undefined
  return `${found.package} may be imported only in ${places.join(', ')}`
}

const workspaceDoor: Check = (file, found) => {
  if (!found.target || !found.specifier.startsWith('.')) return undefined
  const [from, to] = [file.path, found.target].map((path) => path.split('/')[0])
  // no workspaces, and so without names of their own
  if (from === to || from === 'scripts' || to === 'scripts' || to === 'engines') return undefined
  return `${to} is reached by its package name, not by a path: ${found.specifier}`
}

const CHECKS = [direction, sandboxDoor, packagePlace, workspaceDoor]

function importViolations(files: readonly SourceFile[]): Violation[] {
  const violations: Violation[] = []
  for (const file of files) {
    const { path } = file
    if (!layerOf(path))
      violations.push({ path, what: 'lies in no layer (layers.ts; ARCHITECTURE.md §2, §3)' })
    for (const found of file.imports) {
      for (const check of CHECKS) {
        const what = check(file, found)
        if (what) violations.push({ path, line: found.line, what })
      }
    }
    const computed = /\bimport\((?!\s*['"])/.test(file.code)
    const mayCompute = isTest(path) || ['scripts', 'bench'].includes(layerOf(path) ?? '')
    if (computed && !mayCompute)
      violations.push({ path, what: 'import() of a computed path hides where it leads' })
  }
  return violations
}

describe('the directions of imports', () => {
  it('are kept by every file', () => {
    expectNone(RULE, importViolations(sourceFiles()))
  })

  it('have no unneeded exception', () => {
    const unused = EXCEPTIONS.filter(
      ({ from, to }) =>
        !sourceFiles().some(
          ({ path, imports }) =>
            fits(path, from) && imports.some(({ target }) => target !== undefined && fits(target, to)),
        ),
    )
    expectNone(
      RULE,
      unused.map(({ from, to }) => ({
        path: from,
        what: `no longer imports ${to}: take it out of EXCEPTIONS`,
      })),
    )
  })

  it('let features ask each other without a circle, each pair with its reason', () => {
    const leadsTo = (from: string, seen: readonly string[] = []): boolean =>
      seen.includes(from) ||
      FEATURE_READS.some((pair) => pair.from === from && leadsTo(pair.to, [...seen, from]))
    expect(FEATURE_READS.filter(({ from }) => leadsTo(from))).toEqual([])
    expect(FEATURE_READS.filter(({ reason }) => reason.length < 10)).toEqual([])
  })
})

describe('the rule', () => {
  const refused = (path: string, line: string) =>
    importViolations([sourceFile(path, line)]).map(({ what }) => what)

  it.each([
    ['contract/user.ts', "import { Kysely } from 'kysely'", 'kysely may be imported only in'],
    ['contract/user.ts', "import { hash } from 'node:crypto'", 'contract may not use node:crypto'],
    [
      'client/index.ts',
      "import { start } from '../server/src/compose/app.ts'",
      'client may not import compose',
    ],
    ['server/src/platform/log.ts', "import { x } from '../directory/users.ts'", 'may not import directory'],
    [
      'server/src/platform/mail/a.ts',
      "import type { Mail } from '../../ports/mail.ts'",
      'may not import ports',
    ],
    [
      'server/src/ports/mail.ts',
      "import { Secret } from '../platform/secret.ts'",
      'only types from platform',
    ],
    [
      'server/src/adapters/smtp/a.ts',
      "import { x } from '../../features/sign-in/a.ts'",
      'may not import features',
    ],
    ['server/src/adapters/smtp/a.ts', "import { x } from '../s3/b.ts'", 'one adapter may not import another'],
    ['server/src/directory/users.ts', "import { x } from '../access/caller.ts'", 'may not import access'],
    [
      'server/src/access/caller.ts',
      "import type { x } from '../features/rooms/a.ts'",
      'may not import features',
    ],
    ['server/src/features/rooms/a.ts', "import { x } from '../chat/reads.ts'", 'may not import feature chat'],
    ['server/src/features/rooms/a.ts', "import { x } from '../../ports/mail.ts'", 'only types from ports'],
    [
      'server/src/features/rooms/a.ts',
      "import { x } from '../../adapters/s3/a.ts'",
      'may not import adapters',
    ],
    [
      'server/src/features/rooms/a.ts',
      "import type { x } from '../../configuration/config.ts'",
      'may not import configuration',
    ],
    ['server/src/features/rooms/a.ts', "import type { x } from 'fastify'", 'fastify may be imported only in'],
    ['server/src/features/rooms/a.ts', "import { x } from 'left-pad'", 'has no place yet'],
    [
      'server/src/features/rooms/a.ts',
      "import { x } from '../../../../contract/user.ts'",
      'by its package name',
    ],
    [
      'server/src/compose/app.ts',
      "const x = await import('../sandbox/inbox.ts')",
      'only compose/parts/sandbox.ts loads the sandbox',
    ],
    [
      'server/src/compose/parts/sandbox.ts',
      "import { x } from '../../sandbox/inbox.ts'",
      'is loaded by import()',
    ],
    ['server/src/compose/parts/sandbox.ts', 'const x = await import(name)', 'computed path'],
    [
      'acceptance/a.ts',
      "import { x } from '../server/src/compose/app.ts'",
      'acceptance may not import compose',
    ],
    ['server/src/stray.ts', '', 'lies in no layer'],
  ])('refuses in %s: %s', (path, line, message) => {
    expect(refused(path, line).join('\n')).toContain(message)
  })

  it.each([
    ['contract/user.ts', "import Type from 'typebox'"],
    ['server/src/ports/mail.ts', "import type { Secret } from '../platform/secret.ts'"],
    ['server/src/platform/http/operations.ts', "import { operations } from '@atrium/contract'"],
    ['server/src/features/rooms/routes.ts', "import type { FastifyInstance } from 'fastify'"],
    ['server/src/features/rooms/a.ts', "import { x } from './rules.ts'"],
    ['server/src/features/rooms/a.test.ts', "import { x } from '../../../tests/office.ts'"],
    [
      'server/src/compose/parts/sandbox.ts',
      `const { sandbox } = await ${'import'}('../../sandbox/sandbox.ts')`,
    ],
  ])('lets through in %s: %s', (path, line) => {
    expect(refused(path, line)).toEqual([])
  })
})
