import { client, knownOffer } from '../office-client.ts'
import { type Preferences, preferences } from '../preferences.ts'
import { canPush, subscribeBrowser, unsubscribeBrowser } from './browser-push.ts'

type Shown = Exclude<Preferences['pushes'], 'off'>

/**
 * Has this browser tell of messages and calls while no page of the office is open. The person has allowed notifications.
 * @returns false where the browser does not, or reaches no push service
 */
export async function beginPushes(show: Shown): Promise<boolean> {
  return await subscribe(show, async () => (await client.call('getCurrentUser')).id)
}

async function subscribe(show: Shown, whoChose: () => Promise<string>): Promise<boolean> {
  if (!canPush() || Notification.permission !== 'granted') return false
  try {
    const { pushKey } = await knownOffer()
    const pushesOf = await whoChose()
    const { id } = await client.call('subscribeToPush', { ...(await subscribeBrowser(pushKey)), show })
    preferences.change({ pushes: show, pushId: id, pushesOf })
    return true
  } catch {
    return false
  }
}

/** Has it tell nothing more. What the office cannot be told now it learns from the push service. */
export async function endPushes(): Promise<void> {
  const id = preferences.get().pushId
  preferences.change({ pushes: 'off', pushId: '' })
  await Promise.allSettled([
    ...(canPush() ? [unsubscribeBrowser()] : []),
    ...(id === '' ? [] : [client.call('endPushSubscription', { id })]),
  ])
}

/**
 * A subscription ends with its session: another one begins with the next, as the same person chose it on this device.
 * What another person chose there ends.
 */
export async function renewPushes(person: string): Promise<void> {
  const { pushes, pushesOf } = preferences.get()
  if (pushes === 'off') return
  if (pushesOf === person) await subscribe(pushes, async () => person)
  else await endPushes()
}
