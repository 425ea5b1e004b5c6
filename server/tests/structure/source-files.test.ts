import { describe, expect, it } from 'vitest'
import { scanText } from './scan-text.ts'
import { sourceFile, sourceFiles } from './source-files.ts'

const EXAMPLE = `// import { a } from './commented.ts'
import { readFile } from 'node:fs/promises'
import type {
  Db,
} from '../platform/database.ts'
import './effect.ts'
/* import './also-commented.ts' */
export { type Role, roles } from '@atrium/contract'
export * from './all.ts'
export type { Later } from './later.ts'
const lazy = await import('kysely/helpers')
type Loaded = typeof import('./loaded.ts')
const text = "import './in-a-string.ts'"
declare module '../platform/database.ts' {
  interface Tables {}
}
`

describe('reading imports', () => {
  const { imports } = sourceFile('server/src/access/example.ts', EXAMPLE)

  it('finds every form with its line', () => {
    expect(imports.map(({ line, way, typeOnly, specifier }) => [line, way, typeOnly, specifier])).toEqual([
      [2, 'import', false, 'node:fs/promises'],
      [3, 'import', true, '../platform/database.ts'],
      [6, 'import', false, './effect.ts'],
      [8, 'export', false, '@atrium/contract'],
      [9, 'export', false, './all.ts'],
      [10, 'export', true, './later.ts'],
      [11, 'dynamic', false, 'kysely/helpers'],
      [12, 'dynamic', true, './loaded.ts'],
      [14, 'augmentation', true, '../platform/database.ts'],
    ])
  })

  it('knows where they lead', () => {
    expect(imports.map(({ target, package: name }) => target ?? name)).toEqual([
      'node:fs/promises',
      'server/src/platform/database.ts',
      'server/src/access/effect.ts',
      'contract/index.ts',
      'server/src/access/all.ts',
      'server/src/access/later.ts',
      'kysely',
      'server/src/access/loaded.ts',
      'server/src/platform/database.ts',
    ])
  })
})

describe('reading texts', () => {
  it('blanks comments', () => {
    const { code } = scanText("const url = 'http://a' // b\nconst half = 4 / 2 / 1 /* c */ + 1")
    expect(code).toBe(`const url = 'http://a'${' '.repeat(5)}\nconst half = 4 / 2 / 1 ${' '.repeat(7)} + 1`)
  })

  it('is not led astray by quotes and slashes in regular expressions', () => {
    const { code, literals } = scanText(`${String.raw`const a = /['"\/]\//.test(b) // c`}\nconst d = 'e'`)
    expect(code).not.toContain('// c')
    expect(literals.map(({ text, line }) => [text, line])).toEqual([['e', 2]])
  })

  it('reads templates with their tag, and the strings inside their expressions', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the template that is read
    const { code, literals } = scanText("sql<Row>`select ${cut({ from: 'a' })} from users`")
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the template that is read
    expect(code).toBe("sql<Row>`       ${cut({ from: 'a' })}           `")
    expect(literals).toEqual([
      { text: 'a', line: 1, tag: '' },
      { text: 'select   from users', line: 1, tag: 'sql' },
    ])
  })

  it('keeps every line of every file in its place', () => {
    for (const { path, text, code } of sourceFiles()) {
      expect(code.length, path).toBe(text.length)
      expect(code.split('\n').length, path).toBe(text.split('\n').length)
    }
  })
})
