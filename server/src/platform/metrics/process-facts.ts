import { readdir, statfs } from 'node:fs/promises'
import type { Measure } from './node-page.ts'

const OPEN_FILES = '/proc/self/fd'

/** What the system says of this process and of the disk under a folder. What it does not say is left out. */
export async function processFacts(folder: string): Promise<Measure[]> {
  const [files, disk] = await Promise.all([
    readdir(OPEN_FILES).catch(() => undefined),
    // before the first picture there may be no such folder
    statfs(folder).catch(() => undefined),
  ])
  return [
    // one of them is the folder that was read
    ...(files ? [{ metric: 'process_open_fds', value: files.length - 1 }] : []),
    ...(disk ? [{ metric: 'data_disk_free_bytes', value: disk.bavail * disk.bsize }] : []),
    ...(disk ? [{ metric: 'data_disk_size_bytes', value: disk.blocks * disk.bsize }] : []),
  ]
}
