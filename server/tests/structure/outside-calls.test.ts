import { describe, expect, it } from 'vitest'
import { isTest, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §5: calls to the outside go through `outside`'
const OUTSIDE = 'server/src/platform/outside/outside.ts'
const CHECK_OWNER = 'server/src/platform/database/transaction.ts'
/** What adapters call others by: the global fetch and the clients of vendors. */
const CALLS = /(?<![\w.])fetch\(|\btransport\.(sendMail|verify)\(|\bclient\.send\(/

function violations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path.startsWith('server/src/') && !isTest(path))
    .flatMap(({ path, code }) => {
      const found: Violation[] = []
      if (code.includes('refuseInsideTransaction') && path !== OUTSIDE && path !== CHECK_OWNER)
        found.push({ path, what: 'checks by itself whether a transaction is open' })
      if (path.startsWith('server/src/adapters/') && CALLS.test(code) && !/\boutside\(/.test(code))
        found.push({ path, what: 'calls somebody, and not through `outside`' })
      return found
    })
}

describe('calls to the outside', () => {
  it('go one way', () => {
    expectNone(RULE, violations(sourceFiles()))
  })

  it('are found where they go another', () => {
    const path = 'server/src/adapters/example/example.ts'
    const of = (code: string) => violations([sourceFile(path, code)]).length
    expect(of('const answer = await fetch(url)')).toBe(1)
    expect(of("refuseInsideTransaction('x'); await transport.sendMail(mail)")).toBe(2)
    expect(of('await outside(call, () => fetch(url))')).toBe(0)
  })
})

const READ_RULE =
  'What comes from outside is read by platform/outside/outside-fields.ts, never believed to have a shape'
/** An answer that is given a type as it is. What this office has sealed itself (`secrets`) is its own word. */
const BELIEVED =
  /(JSON\.parse\((?!secrets\))[^()]*(\([^()]*\))?\)|\.json\(\)\)?|\b(body|answer|said))\s+as\s+(?!unknown\b|const\b)/

function believed(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path.startsWith('server/src/adapters/') && !isTest(path))
    .filter(({ code }) => BELIEVED.test(code))
    .map(({ path }) => ({ path, what: 'gives a type to an answer that nobody has read' }))
}

describe('answers from the outside', () => {
  it('are read', () => {
    expectNone(READ_RULE, believed(sourceFiles()))
  })

  it('are found where they are believed', () => {
    const path = 'server/src/adapters/example/example.ts'
    const of = (code: string) => believed([sourceFile(path, code)]).length
    expect(of('const { id } = answer.body as { id: string }')).toBe(1)
    expect(of('const { id } = JSON.parse(bytes.toString()) as Person')).toBe(1)
    expect(of('const person = (await response.json()) as Person')).toBe(1)
    expect(of('const person = await response.json() as Person')).toBe(1)
    expect(of('const { nonce } = JSON.parse(secrets) as Kept')).toBe(0)
    expect(of('const { id } = fieldsOf(JSON.parse(text))')).toBe(0)
  })
})
