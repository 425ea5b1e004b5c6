import { type Clock, secondsAfter } from '../../platform/clock.ts'
import { constantTimeEquals, keyedHash } from '../../platform/secrets/secret.ts'

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
    signature: downloadSignatureOf(needs, { key, fileName, contentType, expires }),
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
  if (!constantTimeEquals(signature, downloadSignatureOf(needs, grant))) return undefined
  return needs.clock.now().getTime() < grant.expires * 1_000 ? grant : undefined
}

/** Another word in front than that of uploads: neither opens what the other does. */
function downloadSignatureOf(
  needs: SignatureNeeds,
  { key, fileName, contentType, expires }: DownloadGrant,
): string {
  const parts = ['GET', key, fileName, contentType, String(expires)]
  return keyedHash(needs.signingKey, ...parts).toString('base64url')
}

function signatureOf(needs: SignatureNeeds, { key, contentType, expires }: UploadGrant): string {
  return keyedHash(needs.signingKey, 'PUT', key, contentType, String(expires)).toString('base64url')
}
