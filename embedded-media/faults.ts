/** What goes wrong, as a test wishes. Everything well where nothing is set. */
export interface FaultSettings {
  /** Whether there is a machine that records: without one, starts are refused after a long wait. */
  recorder: 'present' | 'absent'
  /** How long a start waits for a recorder that is absent. */
  absentAfterMs: number
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
  answerDelayMs: 0,
  calls: 'answered',
  duplicateWebhooks: false,
  dropWebhooks: false,
  clockAheadSeconds: 0,
}

export interface Faults {
  current: FaultSettings
}
