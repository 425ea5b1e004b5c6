import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEnvironmentFile } from './environment-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-env-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(bytes: Buffer | string) {
  const path = join(folder, '.env')
  await writeFile(path, bytes)
  return readEnvironmentFile(path)
}

describe('the file .env', () => {
  it('is read whole, with or without the mark that editors put in front of it', async () => {
    const text = 'ATRIUM_ENV=production\nPORT=4156 # a comment\n'
    const settings = { ATRIUM_ENV: 'production', PORT: '4156' }
    for (const written of [text, `\uFEFF${text}`, text.replaceAll('\n', '\r\n')])
      expect(await read(written)).toEqual(settings)
  })

  it('holds nothing where it is not there', () => {
    expect(readEnvironmentFile(join(folder, 'none'))).toEqual({})
  })

  it.each([
    ['in UTF-16', Buffer.from('\uFEFFPORT=1\n', 'utf16le')],
    ['in Latin-1', Buffer.from('NAME=\xe4\n', 'latin1')],
  ])('is refused in words %s', async (_how, bytes) => {
    await expect(read(bytes)).rejects.toThrow('Save it as UTF-8')
  })

  it('is refused in words where it is a folder', () => {
    expect(() => readEnvironmentFile(folder)).toThrow('It is a folder')
  })
})
