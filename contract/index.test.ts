import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Operation, operations, realtimeEvents, takesMailedCode } from './index.ts'

const folder = new URL('.', import.meta.url)

/** Every chapter's own table, straight from its file, by the end of its name. */
async function chapterTables(suffix: 'Operations' | 'Events'): Promise<[file: string, table: object][]> {
  const files = (await readdir(folder)).filter(
    (file) => file.endsWith('.ts') && !/^index\.|\.test\.ts$/.test(file),
  )
  const tables: [string, object][] = []
  for (const file of files) {
    const module: Record<string, unknown> = await import(new URL(file, folder).href)
    for (const [name, value] of Object.entries(module)) {
      if (name.endsWith(suffix)) tables.push([file, value as object])
    }
  }
  return tables
}

describe('the operation table', () => {
  it('holds every operation of every chapter, none twice', async () => {
    const declared = (await chapterTables('Operations')).flatMap(([, table]) => Object.keys(table))
    expect(declared.length).toBeGreaterThan(0)
    expect(declared.toSorted()).toEqual(Object.keys(operations).toSorted())
  })
})

describe('codes from mails', () => {
  it('are taken by these operations, which alone count guesses', () => {
    const ids = Object.entries<Operation>(operations).flatMap(([id, declared]) =>
      takesMailedCode(declared) ? [id] : [],
    )
    expect(ids.toSorted()).toEqual(['confirmAccountDeletion', 'confirmEmailChange', 'finalizeMagicAuth'])
  })
})

describe('the table of events', () => {
  it('holds every event of every chapter, none twice', async () => {
    const declared = (await chapterTables('Events')).flatMap(([, table]) => Object.keys(table))
    expect(declared.length).toBeGreaterThan(0)
    expect(declared.toSorted()).toEqual(Object.keys(realtimeEvents).toSorted())
  })
})
