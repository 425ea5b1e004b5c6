import { type FaultSettings, NO_FAULTS as NO_SERVER_FAULTS } from '@atrium/embedded-media/faults.ts'

/** What goes wrong at the stand-in, as a developer or a test wishes. Everything well where nothing is set. */
export interface SandboxFaults extends FaultSettings {
  /** How recordings go. */
  recordings: 'complete' | 'limit-reached' | 'backup-store' | 'failed' | 'no-file' | 'aborted' | 'never-run'
}

export const NO_FAULTS: Readonly<SandboxFaults> = { ...NO_SERVER_FAULTS, recordings: 'complete' }

export interface Faults {
  current: SandboxFaults
}

const CHOICES: Partial<Record<keyof SandboxFaults, readonly string[]>> = {
  recorder: ['present', 'absent'],
  recordings: ['complete', 'limit-reached', 'backup-store', 'failed', 'no-file', 'aborted', 'never-run'],
  calls: ['answered', 'refused', 'answer-lost'],
}

/**
 * The settings with some of them changed, as they came in a request; what is no setting, or has no such value, is
 * named.
 */
export function changeFaults(
  current: SandboxFaults,
  wanted: Readonly<Record<string, unknown>>,
): SandboxFaults | { problem: string } {
  const next: Record<string, unknown> = { ...current }
  for (const [name, value] of Object.entries(wanted)) {
    const before = NO_FAULTS[name as keyof SandboxFaults]
    const choices = CHOICES[name as keyof SandboxFaults]
    const fits = choices ? choices.includes(value as string) : typeof value === typeof before
    if (before === undefined || !fits) return { problem: `${name} is no fault, or cannot be that` }
    next[name] = value
  }
  return next as unknown as SandboxFaults
}
