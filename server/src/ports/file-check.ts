/** A file as the check sees it. */
export interface CheckedFile {
  name: string
  sizeBytes: number
  /** Read once. */
  bytes: AsyncIterable<Uint8Array>
}

/** Looks for what does harm when a file is opened: a scanner for viruses. */
export interface FileCheckPort {
  /** @throws ProviderFailure where the check cannot be made: nothing is known of the file then */
  check(file: CheckedFile): Promise<{ isClean: boolean }>
}
