import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../tests/fresh-database.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { readConfig } from '../../configuration/config.ts'
import { backUpOffice } from './backup-office.ts'

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
