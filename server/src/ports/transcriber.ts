/** A stretch of what one person said. */
export interface SpokenStretch {
  /** Ogg with Opus, of one speaker. */
  sound: Uint8Array
  seconds: number
}

/** A single word and when it was said, in seconds since its stretch began. */
export interface HeardWord {
  from: number
  to: number
  text: string
}

/** Writes down what is said. */
export interface TranscriberPort {
  /**
   * The words of a stretch, in order; none where nothing is understood.
   * @throws ProviderFailure where nothing is known of it: it can be asked again
   */
  transcribe(stretch: SpokenStretch, signal: AbortSignal): Promise<HeardWord[]>
}
