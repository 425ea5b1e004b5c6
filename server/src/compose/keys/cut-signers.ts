import { CHECKPOINT_KEY } from '../../access/audit/audit-checkpoint.ts'
import type { Config } from '../../configuration/config.ts'
import { type StatementSigner, statementSigner } from '../../platform/secrets/signed-statement.ts'
import { hashKeysOf } from './key-rings.ts'

/** What signs where audit trails were cut off: with SECRET_KEY, and what former and next ones have signed. */
export interface CutSigners {
  current: StatementSigner
  former: readonly StatementSigner[]
  next: readonly StatementSigner[]
}

export function cutSignersOf(config: Pick<Config, 'secretKeys'>): CutSigners {
  const { current, all } = hashKeysOf(config, CHECKPOINT_KEY)
  const others = all.slice(1).map(statementSigner)
  const formerCount = config.secretKeys.previous.length
  return {
    current: statementSigner(current),
    former: others.slice(0, formerCount),
    next: others.slice(formerCount),
  }
}
