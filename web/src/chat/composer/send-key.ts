import type { KeyboardEvent } from 'react'

/** As the office takes it. */
export const CONTENT_MAX = 4_000

/** Enter sends; an input method that is composing a character takes it for itself. */
export function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing
}
