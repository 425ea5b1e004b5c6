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
    for await (const entry of readArchive(path)) files.push(await entry.hold())
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

  /** So many bytes of one value, as they come. */
  async function* chunksOf(sizeBytes: number, value = 7) {
    for (let left = sizeBytes; left > 0; left -= MIB) yield Buffer.alloc(Math.min(MIB, left), value)
  }

  it('take files as their bytes come, and give them back so, of more than is ever held', async () => {
    const path = freshPath()
    const archive = writeArchive(path, NOW)
    await archive.add('a.json', Buffer.from('{}\n'))
    // zeros, which other archives are refused for
    await archive.addStream('files/1', 80 * MIB, chunksOf(80 * MIB, 0))
    await archive.addStream('files/2', 0, chunksOf(0))
    await archive.addStream('files/3', 3 * MIB + 1, chunksOf(3 * MIB + 1))
    await archive.add('b.json', Buffer.from('[]\n'))
    await archive.finish()
    const back: [string, number, number][] = []
    for await (const { name, sizeBytes, chunks } of readArchive(path)) {
      let bytes = 0
      let largest = 0
      for await (const chunk of chunks()) {
        bytes += chunk.length
        largest = Math.max(largest, chunk.length)
        if (name !== 'a.json' && name !== 'b.json')
          expect(chunk.equals(Buffer.alloc(chunk.length, name === 'files/1' ? 0 : 7))).toBe(true)
      }
      expect(largest).toBeLessThanOrEqual(64 * 1024)
      back.push([name, sizeBytes, bytes])
    }
    expect(back).toEqual([
      ['a.json', 3, 3],
      ['files/1', 80 * MIB, 80 * MIB],
      ['files/2', 0, 0],
      ['files/3', 3 * MIB + 1, 3 * MIB + 1],
      ['b.json', 3, 3],
    ])
  })

  it('pass over what is not read, or not to its end', async () => {
    const path = freshPath()
    const archive = writeArchive(path, NOW)
    for (const name of ['files/1', 'files/2', 'files/3'])
      await archive.addStream(name, 2 * MIB, chunksOf(2 * MIB))
    await archive.finish()
    const names: string[] = []
    for await (const { name, chunks } of readArchive(path)) {
      names.push(name)
      if (name === 'files/2') for await (const _ of chunks()) break
    }
    expect(names).toEqual(['files/1', 'files/2', 'files/3'])
  })

  it('hold no file in memory that is larger than any of ours', async () => {
    const path = freshPath()
    const archive = writeArchive(path, NOW)
    await archive.addStream('files/1', 33 * MIB, chunksOf(33 * MIB))
    await archive.finish()
    await expect(read(path)).rejects.toThrow('larger than any file')
  })

  it('are given up where the bytes of a file fail, or are fewer or more', async () => {
    async function* failing() {
      yield Buffer.alloc(10)
      throw new Error('the store is away')
    }
    const wrong: [number, AsyncIterable<Uint8Array>, string][] = [
      [20, failing(), 'the store is away'],
      [20, chunksOf(19), 'other bytes'],
      [20, chunksOf(21), 'other bytes'],
    ]
    for (const [sizeBytes, bytes, sentence] of wrong) {
      const path = freshPath()
      const archive = writeArchive(path, NOW)
      await expect(archive.addStream('files/1', sizeBytes, bytes)).rejects.toThrow(sentence)
      await archive.abandon()
      await expect(read(path)).rejects.toThrow(/damaged|not whole/)
    }
  })

  it('say so where the disk does not take them', async () => {
    const archive = writeArchive(join(folder, 'no', 'folder'), NOW)
    const writing = async () => {
      for (let n = 0; n < 50; n += 1) await archive.add(`a/${n}`, randomBytes(MIB))
    }
    await expect(writing()).rejects.toThrow('ENOENT')
    await archive.abandon()
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
