import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { startTemporaryCluster } from './temporary-cluster.ts'
import { query } from './test-ground.ts'

test('a temporary cluster lets make databases and leaves nothing behind', { timeout: 60_000 }, async () => {
  const cluster = await startTemporaryCluster()
  const before = new Set(await readdir(tmpdir()))
  await query(cluster.connectionString, 'CREATE DATABASE another')
  expect(await query(cluster.connectionString, 'SHOW fsync')).toEqual([{ fsync: 'off' }])
  const [row] = await query<{ folder: string }>(cluster.connectionString, 'SHOW data_directory')
  expect(row).toBeDefined()
  await cluster.stop()
  await expect(query(cluster.connectionString, 'SELECT 1')).rejects.toThrow()
  const after = new Set(await readdir(tmpdir()))
  const removed = [...before].filter((name) => name.startsWith('atrium-temporary-') && !after.has(name))
  expect(removed).toHaveLength(1)
})
