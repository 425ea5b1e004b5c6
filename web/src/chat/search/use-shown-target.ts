import { useLayoutEffect, useState } from 'react'
import type { ListedMessage } from '../message-groups.ts'
import type { Target } from './use-target.ts'

/** Scrolls to a message once it is in the list. @returns the key of its row, as long as it is the one to look at */
export function useShownTarget(
  target: Target | undefined,
  listed: readonly ListedMessage[],
  scrollTo: (index: number) => void,
): string | undefined {
  const [shown, setShown] = useState<string>()
  const index = target ? listed.findIndex(({ message }) => message.message_id === target.messageId) : -1
  const isDue = index >= 0 && shown !== target?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each target
  useLayoutEffect(() => {
    if (!isDue) return
    setShown(target?.key)
    scrollTo(index)
  }, [isDue])
  return shown === target?.key ? listed[index]?.key : undefined
}
