import { createECDH, randomBytes } from 'node:crypto'
import { same } from '../disagreement.ts'
import { refused } from '../rule.ts'
import { asks, type Cast, DONE } from './once.ts'

/** A browser that is told while nothing is open, and goes over to another person. (decisions, Chat beside the earlier data access) */
export async function pushes(cast: Cast): Promise<void> {
  const { ada, bob } = cast
  const browser = { ...newSubscription(), show: 'who' }
  const idsOf = async (person: Cast['ada']) => {
    const { subscriptions } = await asks<{ subscriptions: { id: string }[] }>(
      cast,
      person,
      'listPushSubscriptions',
    )
    return subscriptions.map(({ id }) => id)
  }
  const subscribe = async (person: Cast['ada']) =>
    (await asks<{ id: string }>(cast, person, 'subscribeToPush', browser, { status: 201 })).id
  const first = await subscribe(ada)
  same('told', await idsOf(ada), [first])
  const second = await subscribe(bob)
  same('told no more', await idsOf(ada), [])
  await asks(cast, ada, 'endPushSubscription', { id: second }, refused(404, 'push-subscription-not-found'))
  await asks(cast, bob, 'endPushSubscription', { id: second }, DONE)
  same('ended', await idsOf(bob), [])
}

function newSubscription() {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  return { endpoint: `http://127.0.0.1:9/${randomBytes(8).toString('hex')}`, keys }
}
