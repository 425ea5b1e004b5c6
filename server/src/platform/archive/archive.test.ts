import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ArchiveFile, readArchive } from './archive-reader.ts'
import { writeArchive } from './archive-writer.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

const NOW = new Date('2026-11-23T05:00:00Z')
const MIB = 1024 * 1024

describe('archives', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-archive-test-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  let count = 0
  function freshPath() {
    count += 1
    return join(folder, `${count}.tar.gz`)
  }

  async function written(files: Record<string, Uint8Array>): Promise<string> {
    const path = freshPath()
    const archive = writeArchive(path, NOW)
    for (const [name, bytes] of Object.entries(files)) await archive.add(name, bytes)
    await archive.finish()
    return path
  }
  async function read(path: string): Promise<ArchiveFile[]> {
    const files: ArchiveFile[] = []
    for await (const file of readArchive(path)) files.push(file)
    return files
  }
  /** A tar file of any blocks. */
  async function packed(...blocks: readonly Uint8Array[]): Promise<string> {
    const path = freshPath()
    await writeFile(path, gzipSync(Buffer.concat(blocks)))
    return path
  }
  const fileOf = (name: string, text: string) => [
    tarHeader({ name, sizeBytes: text.length }, NOW),
    Buffer.from(text),
    tarPadding(text.length),
  ]
  /** With another text at a place of the header, and the sum that it has then. */
  function forged(at: number, text: string): Buffer {
    const block = tarHeader({ name: 'a/1.jsonl', sizeBytes: 0 }, NOW)
    block.write(text, at, 'latin1')
    block.fill(0x20, 148, 156)
    const sum = block.reduce((total, byte) => total + byte, 0)
    block.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'ascii')
    return block
  }

  it('come back as they were written, with files of any size', async () => {
    const files = {
      'a.json': Buffer.from('{}\n'),
      'b/1.bin': Buffer.alloc(3 * MIB, 7),
      'b/2.bin': Buffer.alloc(0),
    }
    const path = await written({ ...files, 'b/3.bin': Buffer.alloc(512, 1) })
    const back = await read(path)
    expect(back.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['a.json', 3],
      ['b/1.bin', 3 * MIB],
      ['b/2.bin', 0],
      ['b/3.bin', 512],
    ])
    expect(back[1]?.bytes.equals(files['b/1.bin'])).toBe(true)
  })

  it('refuse to be written with a name twice, or one that leads elsewhere', async () => {
    const archive = writeArchive(freshPath(), NOW)
    await archive.add('a.json', Buffer.from('1'))
    for (const name of ['a.json', '../a.json', '/etc/passwd', 'a//b', 'a/.b', 'x'.repeat(101)])
      await expect(archive.add(name, Buffer.from('1'))).rejects.toThrow()
    await archive.abandon()
  })

  it.each([
    ['leads out of its folder', () => forged(0, '../../etc/cron.d/x\u0000')],
    ['is absolute', () => forged(0, '/etc/passwd\u0000')],
    ['has a prefix', () => forged(345, '../..')],
    ['is a link', () => forged(156, '2')],
    ['is a hard link', () => forged(157, '/etc/passwd')],
    ['is a folder', () => forged(156, '5')],
    ['is an extended header', () => forged(156, 'x')],
    ['has a size in another form', () => forged(124, '\u00ff\u00ff\u00ff\u00ff')],
  ])('are refused with a file that %s', async (_name, block) => {
    await expect(read(await packed(block(), TAR_END))).rejects.toThrow(/archive/)
  })

  it('are refused where a file is larger than any of ours, before it is unpacked', async () => {
    const path = await packed(tarHeader({ name: 'a/1.jsonl', sizeBytes: 33 * MIB }, NOW))
    await expect(read(path)).rejects.toThrow('larger than any file')
  })

  it('are refused where they unpack to far more than they are', async () => {
    const zeros = Buffer.alloc(15 * MIB)
    const bomb = Array.from({ length: 6 }, (_, n) => [
      tarHeader({ name: `a/${n}.jsonl`, sizeBytes: zeros.length }, NOW),
      zeros,
    ]).flat()
    await expect(read(await packed(...bomb, TAR_END))).rejects.toThrow('far more')
  })

  it('are refused where they are cut off, changed, doubled, go on, or are something else', async () => {
    const cut = await written({ 'a/1.bin': randomBytes(5_000) })
    await truncate(cut, 2_000)
    await expect(read(cut)).rejects.toThrow(/damaged|not whole/)
    await expect(read(await packed(...fileOf('a/1.jsonl', '{}\n'), TAR_END))).rejects.toThrow('checksums')
    const changed = await packed(...fileOf('a', 'b'), ...fileOf('checksums.json', '{"a":"0"}\n'), TAR_END)
    await expect(read(changed)).rejects.toThrow('was changed')
    const twice = await packed(...fileOf('a', 'b'), ...fileOf('a', 'c'), TAR_END)
    await expect(read(twice)).rejects.toThrow('twice')
    const goesOn = await packed(...fileOf('checksums.json', '{}\n'), TAR_END, Buffer.from('more'))
    await expect(read(goesOn)).rejects.toThrow('behind its end')
    await writeFile(cut, 'PK\u0003\u0004 a zip file')
    await expect(read(cut)).rejects.toThrow('no archive of this kind')
    await expect(read(join(folder, 'nowhere'))).rejects.toThrow('ENOENT')
  })
})
