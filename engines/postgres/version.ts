import type { Ends } from '../processes.ts'

/** One PostgreSQL in place of the embedded 18. */
export interface Version {
  /** `15`. */
  major: string
  /** Where it is from. */
  origin: string
  /** Brings it here. @returns why it cannot be had; undefined where it is ready */
  install(): Promise<string | undefined>
  /**
   * The root of a package as our launcher wants it; undefined: the one that we bring. What was made for this goes with the
   * other `ends`.
   */
  packageRoot(ends: Ends): Promise<string | undefined>
}
