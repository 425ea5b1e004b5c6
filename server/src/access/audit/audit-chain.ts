import { createHash, randomBytes } from 'node:crypto'

/**
 * How the entries of an audit trail are chained. Of what an entry says of a person (from which network they came, their
 * name, an address) the chain covers a salted commitment: where value and salt are erased, it still holds. Migration
 * 0032 has the same in SQL.
 */

/** What stands before the first entry. */
export const GENESIS = Buffer.alloc(32)

const SALT_BYTES = 32

/** A value that may be erased, and what the chain covers of it. */
export interface Committed {
  value: string
  /** Null where there never was a value, and where it is erased. */
  salt: Buffer | null
  /** Null where there never was a value. */
  commitment: Buffer | null
}

/** @param none what stands where there is no value: nothing is committed to then */
export function commitTo(value: string, none: string): Committed {
  if (value === none) return { value, salt: null, commitment: null }
  const salt = randomBytes(SALT_BYTES)
  return { value, salt, commitment: commitmentOf(salt, value) }
}

/** What became of a value since it was committed to. */
export function stateOf(
  { value, salt, commitment }: Committed,
  none: string,
): 'whole' | 'erased' | 'changed' {
  if (commitment === null) return value === none && salt === null ? 'whole' : 'changed'
  if (salt === null) return value === none ? 'erased' : 'changed'
  return commitmentOf(salt, value).equals(commitment) ? 'whole' : 'changed'
}

function commitmentOf(salt: Buffer, value: string): Buffer {
  return createHash('sha256').update(salt).update(value, 'utf8').digest()
}

/** What no address, and what nothing said of a person, is written as. */
export const NO_ADDRESS = ''
export const NOTHING_SAID = '{}'

/** What the hash of an entry covers, with the hash of the entry before. */
export interface ChainedEntry {
  /** 1: written by the release before, its hash covers values. */
  chain: 1 | 2
  organizationId: string
  sequence: string
  at: string
  /** Null in entries from before authors had a kind. */
  actorKind: string | null
  actorUserId: string | null
  actorTokenId: string | null
  action: string
  targetKind: string
  targetId: string
  requestId: string
  /** JSON. */
  detail: string
  address: Committed
  /** JSON: what of detail and target is said of a person. */
  personal: Committed
}

export function hashOf(entry: ChainedEntry, previous: Buffer): Buffer {
  const covered = entry.chain === 1 ? valuesOf(entry, previous) : commitmentsOf(entry, previous)
  return createHash('sha256').update(JSON.stringify(covered)).digest()
}

function commitmentsOf(entry: ChainedEntry, previous: Buffer): (string | null)[] {
  return [
    '2',
    previous.toString('hex'),
    entry.organizationId,
    entry.sequence,
    entry.at,
    entry.actorKind,
    entry.actorUserId,
    entry.actorTokenId,
    entry.action,
    entry.targetKind,
    entry.targetId,
    entry.requestId,
    entry.detail,
    entry.address.commitment?.toString('hex') ?? null,
    entry.personal.commitment?.toString('hex') ?? null,
  ]
}

function valuesOf(entry: ChainedEntry, previous: Buffer): (string | null)[] {
  return [
    previous.toString('hex'),
    entry.organizationId,
    entry.sequence,
    entry.at,
    entry.actorUserId,
    entry.action,
    entry.targetKind,
    entry.targetId,
    entry.requestId,
    entry.address.value,
    entry.detail,
    ...(entry.actorKind === null ? [] : [entry.actorKind]),
    ...(entry.actorTokenId === null ? [] : [entry.actorTokenId]),
  ]
}

type Detail = Record<string, string | number | null>

/** Parts what an entry says into what is said of a person and what is not. An address as target is the former. */
export function partPersonal(entry: {
  action: string
  target: { kind: string; id: string }
  detail?: Detail
}): { targetId: string; detail: Detail; personal: Detail } {
  const { action, target, detail = {} } = entry
  const isPersonal = (key: string) =>
    key === 'displayName' || key === 'email' || (key === 'name' && action.startsWith('guest.'))
  const [personal, rest] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(detail).filter(([key]) => isPersonal(key) === wanted)),
  ) as [Detail, Detail]
  if (target.kind !== 'email') return { targetId: target.id, detail: rest, personal }
  return { targetId: '', detail: rest, personal: { ...personal, email: target.id } }
}
