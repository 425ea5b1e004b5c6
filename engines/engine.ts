/** One real engine: how to get it, and what is tried on it. */
export interface Engine {
  /** Also the name of its folder (`-15` is a version) and of its argument to `npm run test:engines`. */
  name: string
  /** What it stands for, in a line. */
  about: string
  /**
   * Brings the engine onto this machine from its pinned recipe, where it is not there yet.
   * @returns why it cannot be had here; undefined where it is ready
   */
  install(): Promise<string | undefined>
  /** Starts the engine, tries our part on it, and takes everything away again. One line per check. */
  try(check: Check): Promise<void>
  /**
   * The same once more for the checks that failed in `try`, by their names, and what belongs to them. Where it is not
   * there, all of the engine is tried again.
   */
  tryAgain?(check: Check, failed: readonly string[]): Promise<void>
}

/** Records one check: passed where `work` resolves. */
export type Check = (name: string, work: () => Promise<void>) => Promise<void>
