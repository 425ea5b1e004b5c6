/** Makes one file of the repository from its source of truth. The same sources always give the same text. */
export interface Generator {
  /** From the root of the repository. */
  path: string
  /**
   * The text the file should have.
   * @param current what it has; undefined where there is none
   * @throws Error where the sources do not allow one
   */
  make(current: string | undefined): string | Promise<string>
}
