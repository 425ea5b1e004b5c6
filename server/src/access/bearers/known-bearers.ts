import type { BearerKind } from '@atrium/contract'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import { hashToken } from '../../platform/secrets/secret.ts'
import { unawaited } from '../../platform/timing/unawaited.ts'
import { kindOfBearer } from './bearer-token.ts'
import { findBearerToken, type KnownToken, noteBearerUse } from './bearer-token-store.ts'

export interface KnownBearers {
  /** The caller of a bearer token of one kind; undefined where it is unknown, expired or revoked. */
  find(token: string, kind: BearerKind): Promise<KnownToken | undefined>
  /** Waits for what goes on in the background. */
  settle(): Promise<void>
}

const NOTE_USE_EVERY_SECONDS = 60

/** The owners of bearer tokens. They are looked up for each request, so that a revoked one is refused at once. */
export function openBearers(needs: { db: Db; clock: Clock; log: Pick<Log, 'warn'> }): KnownBearers {
  const noting = unawaited()

  const noteUseWhenDue = (known: KnownToken, now: Date) => {
    if (known.lastUsedAt && secondsAfter(known.lastUsedAt, NOTE_USE_EVERY_SECONDS) > now) return
    noting.begin(noteBearerUse(needs.db, known, now), (error) =>
      needs.log.warn({ err: error }, 'the use of a token could not be noted'),
    )
  }

  return {
    async find(token, kind) {
      if (kindOfBearer(token) !== kind) return undefined
      const now = needs.clock.now()
      const known = await findBearerToken(needs.db, hashToken(token), kind, now)
      if (known) noteUseWhenDue(known, now)
      return known
    },
    settle: noting.settle,
  }
}
