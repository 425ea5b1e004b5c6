import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ExportProblem } from './found.ts'

/** Files of an export at most. */
const FILES_MAX = 200_000
const DEPTH_MAX = 4

/** The files of an export: of a folder, of a ZIP, or one file alone. */
export interface ExportFiles extends AsyncDisposable {
  /** With slashes, from the root of the export; in no order. */
  names: readonly string[]
  open(name: string): Promise<Readable>
}

/** @throws ExportProblem where it is neither, or a ZIP that names places outside of itself */
export async function openExportFiles(path: string): Promise<ExportFiles> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new ExportProblem(`There is nothing at ${path}`)
  if (found.isDirectory()) return await openFolder(path)
  if (await isZip(path)) return await openZip(path)
  return {
    names: ['export.jsonl'],
    open: async () => createReadStream(path),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** What a link leads to is not of the export. */
async function openFolder(root: string): Promise<ExportFiles> {
  const names: string[] = []
  const look = async (folder: string, depth: number): Promise<void> => {
    for (const one of await readdir(join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? one.name : `${folder}/${one.name}`
      if (one.isFile()) names.push(name)
      if (one.isDirectory() && depth < DEPTH_MAX) await look(name, depth + 1)
      requireFew(names.length)
    }
  }
  await look('', 1)
  return {
    names,
    open: async (name) => createReadStream(join(root, name)),
    [Symbol.asyncDispose]: async () => {},
  }
}

async function isZip(path: string): Promise<boolean> {
  const [first] = (await createReadStream(path, { end: 3 }).toArray()) as Buffer[]
  return first?.toString('latin1').startsWith('PK') === true
}

/** Nothing of it is written anywhere; a name that leads outside of it is refused all the same. */
async function openZip(path: string): Promise<ExportFiles> {
  const zip = await openPromise(path, { autoClose: false }).catch(asProblem)
  const entries = new Map<string, Entry>()
  try {
    await listEntries(zip, entries)
  } catch (error) {
    zip.close()
    throw asProblem(error)
  }
  const read = async (name: string) => {
    const entry = entries.get(name)
    if (!entry) throw new ExportProblem(`There is no ${name} in the export`)
    return await zip.openReadStreamPromise(entry)
  }
  return {
    names: [...entries.keys()],
    open: read,
    [Symbol.asyncDispose]: async () => zip.close(),
  }
}

async function listEntries(zip: ZipFile, entries: Map<string, Entry>): Promise<void> {
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
    requireFew(entries.size)
  }
}

function asProblem(error: unknown): never {
  throw error instanceof ExportProblem
    ? error
    : new ExportProblem(`The ZIP cannot be read: ${error instanceof Error ? error.message : 'it is broken'}`)
}

function requireFew(count: number): void {
  if (count > FILES_MAX) throw new ExportProblem(`An export has at most ${FILES_MAX} files`)
}
