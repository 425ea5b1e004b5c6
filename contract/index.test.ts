import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { operations } from './index.ts'

const folder = new URL('.', import.meta.url)

/** Every chapter's own table, straight from its file. */
async function chapterTables(): Promise<[file: string, table: object][]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const tables: [string, object][] = []
  for (const file of files) {
    const module: Record<string, unknown> = await import(new URL(file, folder).href)
    for (const [name, value] of Object.entries(module)) {
      if (name.endsWith('Operations')) tables.push([file, value as object])
    }
  }
  return tables
}

describe('the operation table', () => {
  it('holds every operation of every chapter, none twice', async () => {
    const declared = (await chapterTables()).flatMap(([, table]) => Object.keys(table))
    expect(declared.length).toBeGreaterThan(0)
    expect(declared.toSorted()).toEqual(Object.keys(operations).toSorted())
  })
})
