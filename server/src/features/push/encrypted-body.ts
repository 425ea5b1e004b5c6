import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** What a browser has given to be written to alone. */
export interface BrowserKeys {
  /** An uncompressed point of P-256. */
  browserKey: Buffer
  /** 16 bytes. */
  browserSecret: Buffer
}

/** Longest text of a push, in bytes: push services take 4,096 of its encrypted form. */
export const PUSH_BYTES_MAX = 3_993
const RECORD_BYTES = 4_096
const END_OF_LAST_RECORD = Buffer.from([2])

/**
 * Encrypts a push for one browser (RFC 8291), as one record of `aes128gcm` (RFC 8188).
 * @param chance fresh for each push; given by tests alone
 */
export function encryptedBody(
  text: string,
  { browserKey, browserSecret }: BrowserKeys,
  chance: { salt: Buffer; privateKey?: Buffer } = { salt: randomBytes(16) },
): Buffer {
  const sender = createECDH('prime256v1')
  if (chance.privateKey) sender.setPrivateKey(chance.privateKey)
  else sender.generateKeys()
  const senderKey = sender.getPublicKey()
  const shared = sender.computeSecret(browserKey)
  const ikm = derived(shared, browserSecret, ['WebPush: info\0', browserKey, senderKey], 32)
  const key = derived(ikm, chance.salt, ['Content-Encoding: aes128gcm\0'], 16)
  const nonce = derived(ikm, chance.salt, ['Content-Encoding: nonce\0'], 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const size = Buffer.alloc(5)
  size.writeUInt32BE(RECORD_BYTES)
  size.writeUInt8(senderKey.length, 4)
  const record = [cipher.update(text), cipher.update(END_OF_LAST_RECORD), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([chance.salt, size, senderKey, ...record])
}

function derived(secret: Buffer, salt: Buffer, info: readonly (string | Buffer)[], bytes: number): Buffer {
  const said = Buffer.concat(info.map((part) => Buffer.from(part)))
  return Buffer.from(hkdfSync('sha256', secret, salt, said, bytes))
}
