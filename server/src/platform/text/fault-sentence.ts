/** What is said of a file or folder, by the code that the system gives. */
const FILE_FAULTS: Partial<Record<string, string>> = {
  EACCES: 'may not be read or written by this user',
  EDQUOT: 'does not fit: the quota of this user is used up',
  EEXIST: 'is there already',
  EISDIR: 'is a folder, not a file',
  ENOENT: 'is not there',
  ENOSPC: 'does not fit: the disk is full',
  ENOTDIR: 'is not a folder',
  ENOTEMPTY: 'is a folder that is not empty',
  EPERM: 'may not be changed by this user',
  EROFS: 'is on a disk that takes no writes',
}

/** What went wrong, in words for an operator: a fault of the file system names the file, everything else speaks for itself. */
export function faultSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  const said = FILE_FAULTS[code]
  return said && path ? `${[path, dest].filter(Boolean).join(', or ')} ${said} (${code})` : error.message
}
