import type { OwnOffice } from './own-office.ts'
import type { Steps } from './steps.ts'

/** The office that is walked through. */
export interface Office {
  /** Without a slash at the end. */
  url: string
  /** Where the run has started it itself, and may kill it. Its limits are known then. */
  own?: OwnOffice
}

/** A black-box walk: what a person or a front end would do, step by step, over HTTP. */
export interface Walk {
  name: string
  /** Kills and restarts the office: not for one that others use. */
  needsOwnOffice?: boolean
  run(office: Office, steps: Steps): Promise<void>
}
