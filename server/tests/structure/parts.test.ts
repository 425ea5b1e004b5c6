import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTest, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §3: compose/parts holds one file per part, and nothing else'
const PARTS = 'server/src/compose/parts/'
const OFFICE = 'server/src/compose/office.ts'

/** How a part is opened: a function that is exported, and named so. */
const OPENER = /^export (?:async )?function (open[A-Z]\w*)\(/gm

function violations(files: readonly SourceFile[]): Violation[] {
  const office = files.find(({ path }) => path === OFFICE)
  return files
    .filter(({ path }) => path.startsWith(PARTS) && !isTest(path))
    .flatMap(({ path, code }) => {
      const openers = [...code.matchAll(OPENER)].map(([, name = '']) => name)
      const from = `./${posix.relative('server/src/compose', path)}`
      const opened = openers.filter((name) => office?.code.includes(`import { ${name} } from '${from}'`))
      if (opened.length === 1 && openers.length === 1) return []
      return [
        {
          path,
          what: `is no part: it opens ${openers.length}, and the office opens ${opened.length} of them`,
        },
      ]
    })
}

/** But for their tables, of which parts ask one question each. */
const ADAPTER = /^server\/src\/adapters\/(?!.*-store\.ts$)/

/** What is outside is opened once, and handed on by the part that has opened it. */
function openedTwice(files: readonly SourceFile[]): Violation[] {
  const used = files
    .filter(({ path }) => path.startsWith(PARTS) && !isTest(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target, typeOnly }) => !typeOnly && ADAPTER.test(target ?? ''))
        .map(({ target = '', line }) => ({ path, line, target })),
    )
  return [...Map.groupBy(used, ({ target }) => target).values()].flatMap((users) =>
    users.slice(1).map(({ path, line, target }) => ({
      path,
      line,
      what: `opens ${target}, as ${users[0]?.path} does: take it from there`,
    })),
  )
}

describe('the parts of the office', () => {
  it('open each adapter once', () => {
    expectNone(RULE, openedTwice(sourceFiles()))
  })

  it('are a file each', () => {
    const parts = sourceFiles().filter(({ path }) => path.startsWith(PARTS) && !isTest(path))
    expect(parts.length).toBeGreaterThanOrEqual(30)
    expectNone(RULE, violations(sourceFiles()))
  })

  it('are found to open an adapter twice', () => {
    const mail = (name: string) =>
      sourceFile(`${PARTS}${name}.ts`, "import { smtpMail } from '../../adapters/smtp/smtp-mail.ts'")
    expect(openedTwice([mail('mail')])).toEqual([])
    expect(openedTwice([mail('mail'), mail('push')])).toMatchObject([{ path: `${PARTS}push.ts` }])
  })

  it.each([
    ['opens nothing', 'export function keysOf() {}'],
    ['opens two', 'export function openChat() {}\nexport function openRooms() {}'],
    ['is not opened', 'export function openRooms() {}'],
  ])('are found not to be one: a file that %s', (_name, text) => {
    const office = sourceFile(OFFICE, "import { openChat } from './parts/chat.ts'")
    expect(violations([office, sourceFile(`${PARTS}chat.ts`, text)])).toHaveLength(1)
    expect(
      violations([office, sourceFile(`${PARTS}chat.ts`, 'export async function openChat() {}')]),
    ).toEqual([])
  })
})
