import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faultSentence } from './fault-sentence.ts'

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error: unknown) => faultSentence(error),
  )

it('names the file, and says what is wrong with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-faults-'))
  const file = join(folder, 'there')
  await writeFile(file, '')
  const gone = join(folder, 'gone')
  expect(await faultOf(readFile(gone))).toBe(`${gone} is not there (ENOENT)`)
  expect(await faultOf(readFile(folder))).toContain('EISDIR')
  expect(await faultOf(readFile(join(file, 'in')))).toBe(`${join(file, 'in')} is not a folder (ENOTDIR)`)
  expect(await faultOf(writeFile(file, '', { flag: 'wx' }))).toBe(`${file} is there already (EEXIST)`)
  expect(await faultOf(rename(gone, file))).toBe(`${gone}, or ${file} is not there (ENOENT)`)
})

it('leaves other faults their own words', () => {
  expect(faultSentence(new Error('the archive is cut off'))).toBe('the archive is cut off')
  expect(faultSentence(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))).toBe('refused')
  expect(faultSentence('gone')).toBe('gone')
})
