import { listenForNotifications, type Notifications } from '../../../platform/background/notifications.ts'
import type { Opening, Part } from '../../part.ts'

export interface OfficeNotifications extends Part, Omit<Notifications, 'close'> {
  needs: Record<string, never>
}

/**
 * One connection that hears for all parts. It is made when the parts start: before, nothing is live.
 * @param parts all of the office; those that are opened later too
 */
export function openNotifications(
  { connectionString, log }: Opening,
  parts: readonly Part[],
): OfficeNotifications {
  const waiting: Parameters<Notifications['on']>[] = []
  let listening: Notifications | undefined
  const on: Notifications['on'] = (channel, handler) => {
    if (listening) listening.on(channel, handler)
    else waiting.push([channel, handler])
  }
  return {
    needs: {},
    on,
    isLive: () => listening?.isLive() ?? false,
    position: async () => await listening?.position(),
    measures: () => [{ metric: 'database_notifications_live', value: listening?.isLive() ? 1 : 0 }],
    start(stack) {
      const opened = listenForNotifications({
        connectionString,
        log,
        onGap() {
          for (const part of parts) part.onNotificationGap?.()
        },
      })
      stack.defer(() => opened.close())
      for (const { listeners = {} } of parts) {
        for (const [channel, handler] of Object.entries(listeners)) opened.on(channel, handler)
      }
      for (const [channel, handler] of waiting) opened.on(channel, handler)
      listening = opened
    },
  }
}
