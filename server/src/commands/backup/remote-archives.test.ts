import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
  const store = filesystemStorage({
    folder: await folder(),
    signingKeys: { current: key, all: [key] },
    publicUrl: 'http://localhost/storage',
    clock: systemClock,
  })
  return {
    store,
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

it('keeps days of archives, the one made now, and whatever else is there', async () => {
  const { store, keys } = await openStore()
  const names = ['2026-10-01-033000', '2026-11-20-033000', '2026-11-22-033000', '2026-11-28-033000']
  for (const name of names) await sendArchive(store, PLACE, { folder: await archive('manifest.json'), name })
  await store.write('office/notes/of-ours', new Uint8Array(1), LABEL)
  const now = new Date('2026-11-28T03:30:00Z')
  const removed = await removeOldArchives(store, PLACE, { days: 7, kept: '2026-11-28-033000', now })
  expect(removed).toEqual(['2026-10-01-033000', '2026-11-20-033000'])
  expect(await keys()).toEqual([
    'office/2026-11-22-033000/manifest.json',
    'office/2026-11-28-033000/manifest.json',
    'office/notes/of-ours',
  ])
  // the clock of this machine was set back by a year, and forward again
  const later = new Date('2028-01-01T00:00:00Z')
  const last = { days: 7, kept: '2026-11-28-033000', now: later }
  expect(await removeOldArchives(store, PLACE, last)).toEqual(['2026-11-22-033000'])
  expect(archiveName(now)).toBe('2026-11-28-033000')
})
