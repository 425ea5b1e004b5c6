import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesystemStorage } from '../../adapters/filesystem-storage/filesystem-storage.ts'
import { BackupProblem } from '../../platform/backup/manifest.ts'
import { systemClock } from '../../platform/clock.ts'
import { archiveName, fetchArchive, removeOldArchives, sendArchive } from './remote-archives.ts'
import { parsePlace } from './remote-place.ts'

const PLACE = parsePlace('s3://backups/office')
const LABEL = { contentType: 'text/plain', cacheControl: 'no-store' }

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'atrium-remote-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function openStore() {
  const key = new Uint8Array(32)
  const place = await folder()
  const store = filesystemStorage({
    folder: place,
    signingKeys: { current: key, all: [key] },
    publicUrl: 'http://localhost/storage',
    clock: systemClock,
  })
  return {
    store,
    async age(file: string, days: number) {
      const at = new Date(Date.now() - days * 86_400_000)
      await utimes(join(place, file), at, at)
    },
    async keys() {
      const found: string[] = []
      for await (const batch of store.list('office/')) found.push(...batch.map(({ key }) => key))
      return found.toSorted()
    },
  }
}

/** A folder with these files; each holds its own name. */
async function archive(...files: string[]): Promise<string> {
  const made = await folder()
  for (const file of files) {
    await mkdir(dirname(join(made, file)), { recursive: true })
    await writeFile(join(made, file), file)
  }
  return made
}

it.each([
  ['s3://backups', { bucket: 'backups', prefix: '' }],
  ['s3://backups/', { bucket: 'backups', prefix: '' }],
  ['s3://backups/of/office', { bucket: 'backups', prefix: 'of/office/' }],
])('a place is a bucket and a prefix: %s', (text, place) => {
  expect(parsePlace(text)).toEqual(place)
})

it.each([
  '/var/backups',
  's3://',
  's3://B',
  's3://backups/../other',
  's3://backups//x',
  'https://store/backups',
])('anything else is no place: %s', (text) => expect(() => parsePlace(text)).toThrow(BackupProblem))

it('an archive comes back as it was sent, the newest one where none is named', async () => {
  const { store, keys } = await openStore()
  const files = ['manifest.json', 'pictures.jsonl', 'pictures/avatars/7/large.webp', 'tables/users.copy.gz']
  await sendArchive(store, PLACE, { folder: await archive('manifest.json'), name: '2026-11-26-033000' })
  await sendArchive(store, PLACE, { folder: await archive(...files), name: '2026-11-27-033000' })
  // a backup that was cut off has no manifest
  await sendArchive(store, PLACE, { folder: await archive('manifest.json'), name: '2026-11-28-033000' })
  await store.remove(['office/2026-11-28-033000/manifest.json'])
  expect(await keys()).toContain('office/2026-11-27-033000/pictures/avatars/7/large.webp')

  const into = await folder()
  expect(await fetchArchive(store, PLACE, into)).toBe('2026-11-27-033000')
  for (const file of files) expect(await readFile(join(into, file), 'utf8')).toBe(file)
  const named = parsePlace('s3://backups/office/2026-11-26-033000')
  expect(await fetchArchive(store, named, await folder())).toBe('2026-11-26-033000')
  const gone = parsePlace('s3://backups/office/2025-01-01-000000')
  await expect(fetchArchive(store, gone, await folder())).rejects.toThrow(BackupProblem)
})

it('keeps days of archives by the clock of the store, the one made now, those of other offices, and whatever else is there', async () => {
  const { store, keys, age } = await openStore()
  const names = ['2026-10-01-033000', '2026-11-20-033000', '2026-11-22-033000', '2026-11-28-033000']
  for (const name of names) await sendArchive(store, PLACE, { folder: await archive('manifest.json'), name })
  await store.write('office/notes/of-ours', new Uint8Array(1), LABEL)
  const remove = (isOurs = true) =>
    removeOldArchives(store, PLACE, { days: 7, kept: '2026-11-28-033000', isOurs: () => isOurs })
  // their names say how old they are; the store, that all were written today
  expect(await remove()).toEqual([])
  await age('office/2026-10-01-033000/manifest.json', 58)
  await age('office/2026-11-20-033000/manifest.json', 8)
  await age('office/2026-11-22-033000/manifest.json', 6)
  expect(await remove(false)).toEqual([])
  expect(await remove()).toEqual(['2026-10-01-033000', '2026-11-20-033000'])
  expect(await keys()).toEqual([
    'office/2026-11-22-033000/manifest.json',
    'office/2026-11-28-033000/manifest.json',
    'office/notes/of-ours',
  ])
  expect(archiveName(new Date('2026-11-28T03:30:00Z'))).toBe('2026-11-28-033000')
})
