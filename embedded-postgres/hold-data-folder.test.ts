import { execFileSync } from 'node:child_process'
import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { killHard, openTestHarness } from '@atrium/server/tests/run/test-harness.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { findHolder, holdDataFolder } from './hold-data-folder.ts'

const harness = openTestHarness()
afterAll(() => harness.clear(), 60_000)
vi.setConfig({ testTimeout: 60_000 })

const us = () => ({ pid: process.pid })

test('a second process is refused and told who holds the folder, by whatever path it comes', async () => {
  const folder = await harness.folder()
  const { child } = await harness.launch('hold', join(folder, '.atrium'))
  await symlink(join(folder, '.atrium'), join(folder, 'link'))
  await expect(holdDataFolder(join(folder, 'link'), us)).rejects.toThrow(
    `Another Atrium (process ${child.pid}, http://localhost:3000) is using ${folder}/link. ` +
      'Stop it, or start this one with another DATA_DIR.',
  )
  const elsewhere = await holdDataFolder(join(folder, 'other'), us)
  await elsewhere.release()
})

test('a folder is free as soon as its holder was killed', async () => {
  const dataDir = await harness.folder()
  const { child } = await harness.launch('hold', dataDir)
  await killHard(child)
  const hold = await holdDataFolder(dataDir, us)
  await hold.release()
})

test('a folder is free after its release, and says at any time what is true then', async () => {
  const dataDir = await harness.folder()
  const about: { pid: number; url?: string } = { pid: 7 }
  const hold = await holdDataFolder(dataDir, () => about)
  await expect(holdDataFolder(dataDir, us)).rejects.toThrow('Another Atrium (process 7) is using')
  about.url = 'https://office.example'
  await expect(holdDataFolder(dataDir, us)).rejects.toThrow('(process 7, https://office.example)')
  await hold.release()
  await (await holdDataFolder(dataDir, us)).release()
})

test.skipIf(process.getuid?.() !== 0)('root and an ordinary user see each other (needs root)', async () => {
  const dataDir = await harness.folder()
  const hold = await holdDataFolder(dataDir, us)
  const { said } = await harness.launch('hold', dataDir, { uid: 65534, gid: 65534 })
  expect(said.failure).toContain(`Another Atrium (process ${process.pid}) is using ${dataDir}`)
  await hold.release()
})

test.skipIf(!canUnshare())(
  'a process in another network namespace is refused as well, also after a kill (needs root on Linux)',
  async () => {
    const dataDir = await harness.folder()
    const { child } = await harness.launch('hold', dataDir)
    await killHard(child)
    const hold = await holdDataFolder(dataDir, us)
    const elsewhere = await harness.launch('hold', dataDir, { through: ['unshare', '-n'] })
    expect(elsewhere.said.failure).toContain(`Another Atrium (process ${process.pid}) is using ${dataDir}`)
    await hold.release()
    expect(await readdir(dataDir)).toEqual([])

    const { child: other, said } = await harness.launch('hold', dataDir, { through: ['unshare', '-n'] })
    expect(said.failure).toBeUndefined()
    expect(await findHolder(dataDir)).toEqual({ pid: other.pid, url: 'http://localhost:3000' })
    await expect(holdDataFolder(dataDir, us)).rejects.toThrow(`(process ${other.pid}, http://localhost:3000)`)
    await killHard(other)
    expect(await findHolder(dataDir)).toBeUndefined()
    await (await holdDataFolder(dataDir, us)).release()
  },
)

test('a folder with a longer path than a socket takes is held all the same', async () => {
  const dataDir = join(await harness.folder(), 'x'.repeat(120))
  const hold = await holdDataFolder(dataDir, us)
  await expect(holdDataFolder(dataDir, us)).rejects.toThrow(`Another Atrium (process ${process.pid})`)
  expect(await readdir(dataDir)).toEqual([])
  await hold.release()
})

test('of several that come at once one gets the folder', async () => {
  const dataDir = await harness.folder()
  const all = await Promise.allSettled([1, 2, 3, 4].map(() => holdDataFolder(dataDir, us)))
  const got = all.filter((one) => one.status === 'fulfilled')
  expect(got).toHaveLength(1)
  await got[0]?.value.release()
})

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['-n', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
