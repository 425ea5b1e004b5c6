import type { KeyboardEvent } from 'react'

/** Enter sends; an input method that is composing a character takes it for itself. */
export function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing
}
