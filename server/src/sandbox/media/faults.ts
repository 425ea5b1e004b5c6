/** What goes wrong at the stand-in, as a developer or a test wishes. Everything well where nothing is set. */
export interface FaultSettings {
  /** Whether there is a machine that records: without one, starts are refused after a long wait. */
  recorder: 'present' | 'absent'
  /** How long a start waits for a recorder that is absent. */
  absentAfterMs: number
  /** How recordings go. */
  recordings: 'complete' | 'limit-reached' | 'backup-store' | 'failed' | 'no-file' | 'aborted' | 'never-run'
  /** Every answer of the API comes so much later. */
  answerDelayMs: number
  /** `refused`: nothing is done, and the connection is cut. `answer-lost`: it is done, and then the connection is cut. */
  calls: 'answered' | 'refused' | 'answer-lost'
  /** Every webhook is sent twice. */
  duplicateWebhooks: boolean
  /** No webhook is sent at all. */
  dropWebhooks: boolean
  /** How far the clock of the media server is ahead. */
  clockAheadSeconds: number
}

export const NO_FAULTS: Readonly<FaultSettings> = {
  recorder: 'present',
  absentAfterMs: 7_000,
  recordings: 'complete',
  answerDelayMs: 0,
  calls: 'answered',
  duplicateWebhooks: false,
  dropWebhooks: false,
  clockAheadSeconds: 0,
}

export interface Faults {
  current: FaultSettings
}

const CHOICES: Partial<Record<keyof FaultSettings, readonly string[]>> = {
  recorder: ['present', 'absent'],
  recordings: ['complete', 'limit-reached', 'backup-store', 'failed', 'no-file', 'aborted', 'never-run'],
  calls: ['answered', 'refused', 'answer-lost'],
}

/**
 * The settings with some of them changed, as they came in a request; what is no setting, or has no such value, is
 * named.
 */
export function changeFaults(
  current: FaultSettings,
  wanted: Readonly<Record<string, unknown>>,
): FaultSettings | { problem: string } {
  const next: Record<string, unknown> = { ...current }
  for (const [name, value] of Object.entries(wanted)) {
    const before = NO_FAULTS[name as keyof FaultSettings]
    const choices = CHOICES[name as keyof FaultSettings]
    const fits = choices ? choices.includes(value as string) : typeof value === typeof before
    if (before === undefined || !fits) return { problem: `${name} is no fault, or cannot be that` }
    next[name] = value
  }
  return next as unknown as FaultSettings
}
