import { Refusal } from '../../platform/refusal.ts'

/** How long an archive can be fetched. */
export const EXPORT_SECONDS = 24 * 60 * 60

/** One at a time of each person and organization. */
export function exportRunning(): Refusal {
  return new Refusal('conflict', 'An export is being made already', { error: 'export-running' })
}
