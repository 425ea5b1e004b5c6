import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The folder itself where it is there, else the one in which it will be made. @throws Error where a file is in its place */
export async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (found?.isDirectory()) return path
  if (found) throw new Error(`${path} is no folder`)
  return await nearestFolder(dirname(path))
}
