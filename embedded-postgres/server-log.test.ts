import { appendFile, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastLines, openLog, sizeOf, trimLog } from './server-log.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-log-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a log that has grown too long is cut while the server writes, and the cut part is kept', async () => {
  const path = join(folder, 'long.log')
  const writer = await openLog(path)
  await writer.write('first\n')
  await trimLog(path, 100)
  expect(await readFile(path, 'utf8')).toBe('first\n')
  await trimLog(path, 5)
  await writer.write('second\n')
  await writer.close()
  expect(await readFile(path, 'utf8')).toBe('second\n')
  expect(await readFile(`${path}.old`, 'utf8')).toBe('first\n')
  await trimLog(path, 5)
  expect(await readFile(`${path}.old`, 'utf8')).toBe('second\n')
})

test('the last lines come in one line, without the stamps, from the given byte on', async () => {
  const path = join(folder, 'lines.log')
  expect(await lastLines(path)).toBe('')
  await appendFile(path, '2026-11-21 13:15:33.280 UTC [1] LOG:  old\n')
  const from = await sizeOf(path)
  await appendFile(
    path,
    '2026-11-21 13:15:33.280 UTC [1] FATAL:  new\n2026-11-21 13:15:33.280 UTC [1] HINT:  do\n',
  )
  expect(await lastLines(path, from)).toBe('FATAL:  new | HINT:  do')
  expect(await lastLines(path, from, 1)).toBe('HINT:  do')
})

test.skipIf(process.platform === 'win32')('a link in the place of the log is not followed', async () => {
  await symlink(join(folder, 'elsewhere'), join(folder, 'link.log'))
  await expect(openLog(join(folder, 'link.log'))).rejects.toThrow('ELOOP')
})
