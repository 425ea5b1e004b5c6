import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'atrium-make-folder-'))
})
afterAll(() => rm(root, { recursive: true }))

test('those above it are made too, with its mode; what is there stays, also for many at once', async () => {
  const path = join(root, 'a/b/c')
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path, 0o700)))
  await makeFolder(path, 0o777)
  for (const folder of ['a', 'a/b', 'a/b/c'])
    expect((await stat(join(root, folder))).mode & 0o777).toBe(0o700)
})

test('a file in the way is told of', async () => {
  await writeFile(join(root, 'file'), '')
  await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(root, 'file/below'))).rejects.toMatchObject({ code: 'EEXIST' })
})

test.skipIf(process.platform !== 'linux')(
  'a folder that is there and takes none is told of at once: by mkdir of Node it would be tried for ever',
  async () => {
    await expect(makeFolder('/proc/atrium/data')).rejects.toMatchObject({ code: 'ENOENT' })
  },
)
