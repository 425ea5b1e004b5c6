import { type Clock, secondsAfter } from '../../platform/clock.ts'
import { constantTimeEquals, keyedHash, type RotatingKey } from '../../platform/secrets/secret.ts'

/** What a signed upload address allows. */
export interface UploadGrant {
  key: string
  contentType: string
  /** Unix seconds. */
  expires: number
}

export interface SignatureNeeds {
  signingKeys: RotatingKey
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
    signature: signatureOf(needs.signingKeys.current, { key, contentType, expires }),
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
  if (!isOurs(needs, signature, (signingKey) => signatureOf(signingKey, grant))) return undefined
  return needs.clock.now().getTime() < grant.expires * 1_000 ? grant : undefined
}

/** What a signed download address allows. */
export interface DownloadGrant {
  key: string
  fileName: string
  contentType: string
  /** Unix seconds. */
  expires: number
}

/** The address of a download: its grant, readable, and a keyed hash over it. */
export function downloadAddress(
  needs: SignatureNeeds,
  download: { key: string; fileName: string; contentType: string; expiresInSeconds: number },
): string {
  const { key, fileName, contentType } = download
  const end = secondsAfter(needs.clock.now(), download.expiresInSeconds)
  const expires = Math.ceil(end.getTime() / 1_000)
  const query = new URLSearchParams({
    name: fileName,
    type: contentType,
    expires: String(expires),
    signature: downloadSignatureOf(needs.signingKeys.current, { key, fileName, contentType, expires }),
  })
  return `${needs.publicUrl}/${key}?${query}`
}

/** The grant of a download address, where it is ours and not over. */
export function verifyDownload(
  needs: SignatureNeeds,
  key: string,
  query: Readonly<Record<string, unknown>>,
): DownloadGrant | undefined {
  const { name, type, expires, signature } = query
  if (typeof name !== 'string' || typeof type !== 'string') return undefined
  if (typeof expires !== 'string' || typeof signature !== 'string') return undefined
  if (!/^\d{1,12}$/.test(expires)) return undefined
  const grant = { key, fileName: name, contentType: type, expires: Number(expires) }
  if (!isOurs(needs, signature, (signingKey) => downloadSignatureOf(signingKey, grant))) return undefined
  return needs.clock.now().getTime() < grant.expires * 1_000 ? grant : undefined
}

/** Whether one of our keys has made a signature. */
function isOurs(
  { signingKeys }: SignatureNeeds,
  signature: string,
  expected: (signingKey: Uint8Array) => string,
): boolean {
  return signingKeys.all.some((signingKey) => constantTimeEquals(signature, expected(signingKey)))
}

/** Another word in front than that of uploads: neither opens what the other does. */
function downloadSignatureOf(
  signingKey: Uint8Array,
  { key, fileName, contentType, expires }: DownloadGrant,
): string {
  return keyedHash(signingKey, 'GET', key, fileName, contentType, String(expires)).toString('base64url')
}

function signatureOf(signingKey: Uint8Array, { key, contentType, expires }: UploadGrant): string {
  return keyedHash(signingKey, 'PUT', key, contentType, String(expires)).toString('base64url')
}
