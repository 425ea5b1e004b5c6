import { type Clock, secondsAfter } from '../../platform/clock.ts'
import { constantTimeEquals, keyedHash } from '../../platform/secret.ts'

/** What a signed upload address allows. */
export interface UploadGrant {
  key: string
  contentType: string
  /** Unix seconds. */
  expires: number
}

export interface SignatureNeeds {
  signingKey: Uint8Array
  clock: Clock
  /** Where the API is reached: `…/storage`. */
  publicUrl: string
}

/** The address of an upload: its grant, readable, and a keyed hash over it. */
export function uploadAddress(
  needs: SignatureNeeds,
  upload: { key: string; contentType: string; expiresInSeconds: number },
): string {
  const { key, contentType } = upload
  const end = secondsAfter(needs.clock.now(), upload.expiresInSeconds)
  const expires = Math.ceil(end.getTime() / 1_000)
  const query = new URLSearchParams({
    type: contentType,
    expires: String(expires),
    signature: signatureOf(needs, { key, contentType, expires }),
  })
  return `${needs.publicUrl}/${key}?${query}`
}

/** The grant of an address, where it is ours and not over. */
export function verifyUpload(
  needs: SignatureNeeds,
  key: string,
  query: Readonly<Record<string, unknown>>,
): UploadGrant | undefined {
  const { type, expires, signature } = query
  if (typeof type !== 'string' || typeof expires !== 'string' || typeof signature !== 'string')
    return undefined
  if (!/^\d{1,12}$/.test(expires)) return undefined
  const grant = { key, contentType: type, expires: Number(expires) }
  if (!constantTimeEquals(signature, signatureOf(needs, grant))) return undefined
  return needs.clock.now().getTime() < grant.expires * 1_000 ? grant : undefined
}

function signatureOf(needs: SignatureNeeds, { key, contentType, expires }: UploadGrant): string {
  return keyedHash(needs.signingKey, 'PUT', key, contentType, String(expires)).toString('base64url')
}
