import type { Room, RoomOptions } from 'livekit-client'

/** What the screen of a sealed room shows; people by their identity. */
export interface SealingState {
  /** There is a key: before, nothing is sent. */
  hasKey: boolean
  words: string | undefined
  /** They are inside, and the key is not for them. */
  unsealed: readonly string[]
  /** They have another key than this browser knew. */
  changed: readonly string[]
}

/** The encryption of one call, over all of its connections. */
export interface SealedCall {
  /** For a connection that is about to be opened. */
  options(): Promise<RoomOptions>
  /** After `connect`, at every change of who is inside. */
  look(of: Room): void
  /** Resolves as soon as there is a key, or the call is over. */
  hasKey(): Promise<void>
  /** The changed keys are known from now on. */
  accept(): void
  close(): void
}

/** @param tell what changes, whenever it does */
export type OpenSealing = (tell: (state: SealingState) => void) => SealedCall
