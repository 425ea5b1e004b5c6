import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { type ChainedEntry, GENESIS, hashOf, NO_ADDRESS, NOTHING_SAID, stateOf } from './audit-chain.ts'
import { type AuditCut, readCut, SHORTENED } from './audit-retention.ts'

export interface AuditVerdict {
  /** How many there are. */
  entries: number
  /** Number of the first entry that is not as it was written, is missing, or does not follow the one before. */
  brokenAt: string | undefined
  /** Where its beginning was removed when its time was over. */
  cut: AuditCut | undefined
}

const VERIFY_BATCH = 1_000

/**
 * Reads a whole trail and recomputes every hash of it. Values of people that are erased are in order where the trail
 * itself says, in an entry that follows, that the person was erased; so is a beginning that was removed, where the trail
 * says that it was shortened.
 */
export async function verifyAuditTrail(db: Db, organization: OrganizationId): Promise<AuditVerdict> {
  const cut = await readCut(db, organization)
  const first = BigInt(cut?.sequence ?? 0)
  let hash = cut?.hash ?? GENESIS
  let sequence = first
  let isCutTold = cut === undefined
  const erasures = noErasures()
  const verdict = (brokenAt: string | undefined) => ({ entries: Number(sequence - first), brokenAt, cut })
  for (;;) {
    const rows = await readChained(
      db,
      sql`audit_entries where organization_id = ${organization} and sequence > ${String(sequence)}
        order by sequence limit ${VERIFY_BATCH}`,
    )
    for (const { hash: stored, ...entry } of rows) {
      const next = sequence + 1n
      const holds = entry.sequence === String(next) && hashOf(entry, hash).equals(stored)
      if (!holds || !erasures.accept(entry)) return verdict(String(next))
      isCutTold ||= cut !== undefined && tellsOf(entry, cut)
      sequence = next
      hash = stored
    }
    if (rows.length < VERIFY_BATCH) break
  }
  const { rows } = await sql<{ sequence: string; hash: Buffer }>`
    select sequence, hash from audit_heads where organization_id = ${organization}`.execute(db)
  const head = rows[0] ?? { sequence: '0', hash: GENESIS }
  const cutOff = head.sequence !== String(sequence) || !head.hash.equals(hash)
  if (!isCutTold) return verdict(String(first))
  return verdict(erasures.unexplained() ?? (cutOff ? String(sequence + 1n) : undefined))
}

/** Whether an entry says that the trail was shortened just so far: a beginning that is merely missing has none. */
function tellsOf({ action, detail }: ChainedEntry, cut: AuditCut): boolean {
  if (action !== SHORTENED) return false
  const { through, hash } = JSON.parse(detail) as { through?: unknown; hash?: unknown }
  return through === cut.sequence && hash === cut.hash.toString('hex')
}

/** Keeps the people with values that have gone, until the trail tells of their erasure. */
function noErasures() {
  const missing = new Map<string, string>()
  const UNKNOWN_PERSON = ''
  return {
    /** @returns false where a value is another one than was written */
    accept(entry: ChainedEntry): boolean {
      if (entry.chain === 1) return true
      const [address, personal] = [stateOf(entry.address, NO_ADDRESS), stateOf(entry.personal, NOTHING_SAID)]
      if (address === 'changed' || personal === 'changed') return false
      const note = (person: string) => missing.set(person, missing.get(person) ?? entry.sequence)
      if (address === 'erased') note(entry.actorUserId ?? UNKNOWN_PERSON)
      // the person of an address that was invited is written nowhere
      if (personal === 'erased') note(entry.targetKind === 'user' ? entry.targetId : UNKNOWN_PERSON)
      if (entry.action === 'member.erased')
        for (const person of [entry.targetId, UNKNOWN_PERSON]) missing.delete(person)
      return true
    },
    /** The first entry of which a value has gone, and nothing says why. */
    unexplained: () =>
      [...missing.values()].sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)).at(0),
  }
}

type Flat = Omit<ChainedEntry, 'address' | 'personal'> & {
  hash: Buffer
  address: string
  addressSalt: Buffer | null
  addressCommitment: Buffer | null
  personal: string
  personalSalt: Buffer | null
  personalCommitment: Buffer | null
}

/** Entries with what their hashes cover. @param source rows of the shape of `audit_entries`, in their order */
export async function readChained(
  db: Db,
  source: RawBuilder<unknown>,
): Promise<(ChainedEntry & { hash: Buffer })[]> {
  const { rows } = await sql<Flat>`
    select chain, organization_id as "organizationId", sequence, to_char(at at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, actor_kind as "actorKind",
      actor_user_id as "actorUserId", actor_token_id as "actorTokenId", action,
      target_kind as "targetKind", target_id as "targetId", request_id as "requestId", address,
      address_salt as "addressSalt", address_commitment as "addressCommitment", personal::text as personal,
      personal_salt as "personalSalt", personal_commitment as "personalCommitment", detail::text as detail, hash
    from ${source}`.execute(db)
  return rows.map((row) => {
    const { address, addressSalt, addressCommitment, personal, personalSalt, personalCommitment, ...rest } =
      row
    return {
      ...rest,
      address: { value: address, salt: addressSalt, commitment: addressCommitment },
      personal: { value: personal, salt: personalSalt, commitment: personalCommitment },
    }
  })
}
