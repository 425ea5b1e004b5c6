import { mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from '@atrium/server/tests/run/test-harness.ts'
import { expect, test } from 'vitest'
import { startTemporaryCluster } from './temporary-cluster.ts'

test('a temporary cluster can make databases, and nothing stays of it nor of a killed run', {
  timeout: 60_000,
}, async () => {
  const leftover = await mkdtemp(join(tmpdir(), 'atrium-temporary-'))
  await writeFile(join(leftover, 'file'), '')
  await utimes(leftover, new Date(0), new Date(0))

  const cluster = await startTemporaryCluster()
  await expect(stat(leftover)).rejects.toThrow('ENOENT')
  await query(cluster.connectionString, 'CREATE DATABASE another')
  expect(await query(cluster.connectionString, 'SHOW fsync')).toEqual([{ fsync: 'off' }])
  const [row] = await query<{ data_directory: string }>(cluster.connectionString, 'SHOW data_directory')
  const data = row?.data_directory ?? ''
  expect(await readdir(data)).toContain('PG_VERSION')

  await cluster.stop()
  await expect(query(cluster.connectionString, 'SELECT 1')).rejects.toThrow()
  await expect(stat(data)).rejects.toThrow('ENOENT')
})
