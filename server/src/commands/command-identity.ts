import { openIdentity } from '../compose/identity-provider.ts'
import type { Config } from '../configuration/config.ts'
import { systemClock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import { makeKeyRing } from '../platform/secrets/sealed-column.ts'
import type { IdentityPort } from '../ports/identity.ts'

/** Who knows the people, as the configuration says: for commands, which ask it and sign nobody in. */
export function identityOfCommand({ config, db, log }: { config: Config; db: Db; log: Log }): IdentityPort {
  const mailRing = makeKeyRing('mail-queue', config.secretKey, [])
  return openIdentity({ config, db, clock: systemClock, log, mailRing, standIns: undefined }).identity
}
