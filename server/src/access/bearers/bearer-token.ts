import { crc32 } from 'node:zlib'
import type { BearerKind } from '@atrium/contract'
import { newToken } from '../../platform/secrets/secret.ts'

/** What the tokens of each kind begin with, so that a token that is found somewhere is known for what it is. */
const PREFIX: Readonly<Record<BearerKind, string>> = {
  service: 'atr',
  bot: 'atrbot',
  scim: 'atrscim',
}
const KINDS = Object.keys(PREFIX) as BearerKind[]
const TOKEN = /^(atr|atrbot|atrscim)_[A-Za-z0-9_-]{43}([A-Za-z0-9_-]{6})$/
const CHECKSUM_LENGTH = 6

/** `<prefix>_` + 43 characters + checksum, by which a scanner of leaked secrets tells it from other text. */
export function newBearerToken(kind: BearerKind): string {
  const token = newToken(PREFIX[kind])
  return token + checksumOf(token)
}

/** The kind of a token, by its form alone; undefined where no office has made it: it need not be looked up. */
export function kindOfBearer(token: string): BearerKind | undefined {
  const [, prefix, checksum] = TOKEN.exec(token) ?? []
  if (!prefix || checksum !== checksumOf(token.slice(0, -CHECKSUM_LENGTH))) return undefined
  return KINDS.find((kind) => PREFIX[kind] === prefix)
}

/** CRC-32 of what stands before it, as 6 characters of base64url. */
function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return bytes.toString('base64url')
}
