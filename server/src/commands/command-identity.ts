import { openIdentity } from '../compose/from-configuration/identity-provider.ts'
import { keyRingOf } from '../compose/keys/key-rings.ts'
import { MAIL_KEYS } from '../compose/keys/sealed-places.ts'
import type { Config } from '../configuration/config.ts'
import { systemClock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import type { IdentityPort } from '../ports/identity.ts'

/** The identity port of the configuration: for commands, which ask it and sign no person in. */
export function identityOfCommand({ config, db, log }: { config: Config; db: Db; log: Log }): IdentityPort {
  const mailRing = keyRingOf(config, MAIL_KEYS)
  return openIdentity({ config, db, clock: systemClock, log, mailRing, standIns: undefined }).identity
}
