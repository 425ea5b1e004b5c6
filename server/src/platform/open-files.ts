import { readFileSync } from 'node:fs'

const LINUX_LIMITS = '/proc/self/limits'

/**
 * How many files and connections this process may have open: its soft limit, which Node has raised to the hard one.
 * Undefined where the system does not say, or knows none.
 */
export function openFilesMax(): number | undefined {
  return limitIn(readLimits()) ?? limitOfReport()
}

/** @param limits the text of `/proc/self/limits` */
function limitIn(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? undefined : Number(soft)
}

function readLimits(): string {
  try {
    return readFileSync(LINUX_LIMITS, 'utf8')
  } catch {
    return ''
  }
}

/** On systems without `/proc`. */
function limitOfReport(): number | undefined {
  // names of networks are looked up for a report, which may take seconds
  const report = Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = report.getReport() as { userLimits?: Record<string, { soft: unknown }> }
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isSafeInteger(soft) && soft > 0 ? soft : undefined
}
