import { eraseFromDirectory } from '../../../directory/erasure.ts'
import { erasureQueue } from '../../../features/account/erase.ts'
import { addressQueue } from '../../../features/account/jobs.ts'
import { eraseDevices } from '../../../features/device-keys/store.ts'
import { withdrawEvents } from '../../../platform/background/outbox.ts'
import type { RotatingKey } from '../../../platform/secrets/secret.ts'
import { hashKeysOf } from '../../keys/key-rings.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'
import type { Identity } from '../ports/identity.ts'

export interface Accounts extends Part {
  needs: { accountCodeKeys: RotatingKey }
}

/**
 * Accounts change their addresses and are deleted.
 * @param parts all of the office: their erasers run, also those of parts that are opened later
 */
export function openAccounts(
  { config, clock }: Opening,
  parts: readonly Part[],
  { databases, identity }: { databases: Databases; identity: Identity },
): Accounts {
  const { background: db } = databases
  return {
    needs: { accountCodeKeys: hashKeysOf(config, 'account-codes') },
    erasers: [
      { name: 'device keys', erase: ({ id }) => eraseDevices(db, id) },
      {
        name: 'events',
        erase: ({ id }) =>
          withdrawEvents(
            db,
            ['profile.updated', 'invitation.accepted'].map((type) => ({
              data: { type, data: { userId: id } },
            })),
          ),
      },
    ],
    queues: [
      addressQueue({ db, identity: identity.needs.identity }),
      erasureQueue({
        db,
        clock,
        erasersOf: () => parts.flatMap(({ erasers = [] }) => erasers),
        eraseLast: (person) => eraseFromDirectory(db, person, clock.now()),
      }),
    ],
  }
}
