import { readdir, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Measure } from './node-page.ts'

const OPEN_FILES = '/proc/self/fd'
/** In the data folder: written anew by each backup that is whole. */
const LAST_BACKUP = 'last-backup'

/** What the system says of this process and of the disk under a folder. What it does not say is left out. */
export async function processFacts(folder: string): Promise<Measure[]> {
  const [files, disk, backup] = await Promise.all([
    readdir(OPEN_FILES).catch(() => undefined),
    // before the first picture there may be no such folder
    statfs(folder).catch(() => undefined),
    stat(join(folder, LAST_BACKUP)).catch(() => undefined),
  ])
  return [
    // one of them is the folder that was read
    ...(files ? [{ metric: 'process_open_fds', value: files.length - 1 }] : []),
    ...(disk ? [{ metric: 'data_disk_free_bytes', value: disk.bavail * disk.bsize }] : []),
    ...(disk ? [{ metric: 'data_disk_size_bytes', value: disk.blocks * disk.bsize }] : []),
    { metric: 'backup_last_success_timestamp_seconds', value: Math.floor((backup?.mtimeMs ?? 0) / 1_000) },
  ]
}

/** Tells the nodes that use this data folder that an archive is whole. */
export async function noteBackup(folder: string, madeAt: string): Promise<void> {
  await writeFile(join(folder, LAST_BACKUP), `${madeAt}\n`)
}
