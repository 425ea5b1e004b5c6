import type { Notifications } from '../background/notifications.ts'
import { pause } from '../background/pause.ts'
import {
  drainMailClass,
  drainMailQueue,
  MAIL_CLASSES,
  type MailClass,
  type MailQueueNeeds,
} from './mail-queue.ts'

export interface MailDelivery {
  /** Delivers what is due now. See `drainMailQueue`. */
  drain(): Promise<void>
  /** Begins no further mail and waits for those on their way, up to 10 s. */
  stop(): Promise<void>
}

const STOP_WITHIN_MS = 10_000

/** Delivers in the background: when a mail is queued on any node, and every `everyMs` milliseconds (2000). */
export function startMailDelivery(
  options: Omit<MailQueueNeeds, 'signal'> & { notifications: Pick<Notifications, 'on'>; everyMs?: number },
): MailDelivery {
  const stopping = new AbortController()
  const needs: MailQueueNeeds = { ...options, signal: stopping.signal }
  const drain = () => drainMailQueue(needs)
  const wake = async (mailClass: MailClass) => {
    if (stopping.signal.aborted) return
    await drainMailClass(needs, mailClass).catch((err: unknown) =>
      options.log.warn({ err, mailClass }, 'mail queue cannot be read'),
    )
  }
  const repeat = async (mailClass: MailClass) => {
    while (!stopping.signal.aborted) {
      await wake(mailClass)
      await pause(options.everyMs ?? 2_000, stopping.signal)
    }
  }
  options.notifications.on('mail_queued', () => {
    for (const mailClass of MAIL_CLASSES) void wake(mailClass)
  })
  const repeating = MAIL_CLASSES.map(repeat)
  const stop = async () => {
    stopping.abort()
    const waited = new AbortController()
    await Promise.race([
      Promise.all([...repeating, drain().catch(() => {})]),
      pause(STOP_WITHIN_MS, waited.signal),
    ])
    waited.abort()
  }
  return { drain, stop }
}
