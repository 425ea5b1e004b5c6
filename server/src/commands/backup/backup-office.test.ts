import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../tests/fresh-database.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { readConfig } from '../../configuration/config.ts'
import { BackupProblem } from '../../platform/backup/manifest.ts'
import { processFacts } from '../../platform/metrics/process-facts.ts'
import { backUpOffice } from './backup-office.ts'

it('tells the nodes on its data folder when it was whole, and a backup that failed does not', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const config = readConfig({ ATRIUM_ENV: 'test', DATA_DIR: dataDir }, '/nowhere')
  const lastBackup = async () =>
    (await processFacts(dataDir)).find(({ metric }) => metric === 'backup_last_success_timestamp_seconds')
      ?.value
  const { connectionString } = database
  const made = { config, connectionString, folder: join(dataDir, 'backups/one'), log: recordedLog().log }
  expect(await lastBackup()).toBe(0)
  const { madeAt } = await backUpOffice(made)
  const at = await lastBackup()
  expect(Math.abs((at ?? 0) - Date.parse(madeAt) / 1_000)).toBeLessThan(60)
  // not empty any more
  await expect(backUpOffice(made)).rejects.toThrow(BackupProblem)
  expect(await lastBackup()).toBe(at)
})

it('a backup says why the store of pictures fails, in its own words, and no key', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const config = readConfig(
    {
      ATRIUM_ENV: 'test',
      STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      S3_BUCKET: 'pictures',
      S3_ACCESS_KEY_ID: 'canary-id',
      S3_SECRET_ACCESS_KEY: 'canary-secret',
    },
    '/nowhere',
  )
  const backup = backUpOffice({
    config,
    connectionString: database.connectionString,
    folder,
    log: recordedLog().log,
  })
  await expect(backup).rejects.toThrow(/^The store of pictures fails \(\w+\): .*ECONNREFUSED.*atrium doctor$/)
  await expect(backup).rejects.not.toThrow(/canary/)
})
