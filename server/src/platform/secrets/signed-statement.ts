import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { CompactSign, calculateJwkThumbprint, compactVerify, errors, exportJWK } from 'jose'

/** What an Ed25519 key of 32 bytes is preceded by as PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs statements that others may keep and compare later (JWS, Ed25519). The key follows from 32 secret bytes. */
export interface StatementSigner {
  /** @param type names what is stated, in the header: nothing else passes for it */
  sign(type: string, statement: Readonly<Record<string, unknown>>): Promise<string>
  /** The thumbprint of its public key, which stands in the header of what it signs (`kid`). */
  keyId(): Promise<string>
  /** What a statement says; undefined where this key has not signed it as one of this type. */
  verify(type: string, signed: string): Promise<Record<string, unknown> | undefined>
}

export function statementSigner(seed: Uint8Array): StatementSigner {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const keyId = async () => await calculateJwkThumbprint(await exportJWK(publicKey))
  return {
    keyId,
    async sign(type, statement) {
      const [jwk, kid] = [await exportJWK(publicKey), await keyId()]
      return await new CompactSign(Buffer.from(JSON.stringify(statement)))
        .setProtectedHeader({ alg: 'EdDSA', typ: type, kid, jwk })
        .sign(privateKey)
    },
    verify: (type, signed) => verified(publicKey, type, signed),
  }
}

/** Which key a statement, or its header alone, says that it is signed with. Nothing is checked; empty: it cannot be read. */
export function keyIdOfStatement(signed: string): string {
  try {
    const [header = ''] = signed.split('.', 1)
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown }
    return typeof kid === 'string' && /^[\w-]{43}$/.test(kid) ? kid : ''
  } catch {
    return ''
  }
}

async function verified(
  key: KeyObject,
  type: string,
  signed: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { payload, protectedHeader } = await compactVerify(signed, key, { algorithms: ['EdDSA'] })
    if (protectedHeader.typ !== type) return undefined
    return JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
