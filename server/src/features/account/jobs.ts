import { findUserById } from '../../directory/users.ts'
import { enqueue } from '../../platform/background/work-items.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../platform/background/work-queue.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { trusted, type UserId } from '../../platform/ids.ts'
import { Type } from '../../platform/schema.ts'
import type { IdentityPort } from '../../ports/identity.ts'

const ADDRESS_QUEUE = 'account-addresses'

/** Queues the news of a user's address for the identity provider, which hears it once the transaction has ended. */
export async function tellAddressLater(tx: Tx, user: UserId, now: Date): Promise<void> {
  await enqueue(tx, { queue: ADDRESS_QUEUE, key: user, payload: { user }, now })
}

/** Tells the identity provider the address of a user, as long as it takes. */
export function addressQueue(needs: { db: Db; identity: Pick<IdentityPort, 'changeEmail'> }): WorkQueue {
  return workQueue({
    name: ADDRESS_QUEUE,
    lanes: { default: 1 },
    retry: { firstSeconds: 2, lastSeconds: 15 * 60 },
    payload: Type.Object({ user: Type.String() }),
    async handle({ payload: { user }, log }) {
      const person = await findUserById(needs.db, trusted.userId(user))
      if (!person) return
      const told = await needs.identity.changeEmail({ user: person.identityId, email: person.email })
      // users are found by their address: sign-ins of the provider's user under it lead here all the same
      if (!told) log.warn({ user }, 'the identity provider knows somebody else under the address of a person')
    },
  })
}
