import { readFileSync } from 'node:fs'

/** Processes that a process has started, and theirs, with a word in their command line. Linux alone tells. */
export function descendants(of: number, word: string): number[] {
  return childrenOf(of).flatMap((pid) => [
    ...(read(`/proc/${pid}/cmdline`).includes(word) ? [pid] : []),
    ...descendants(pid, word),
  ])
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

/** Of a process that has gone meanwhile: nothing. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
