import { type Clock, secondsAfter } from '../../platform/clock.ts'
import { constantTimeEquals, keyedHash, type RotatingKey } from '../../platform/secrets/secret.ts'

/** What a signed upload address allows. */
export interface UploadGrant {
  key: string
  contentType: string
  /** Exactly so many; undefined: up to `UPLOAD_BYTES_MAX`. */
  bytes: number | undefined
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
  upload: { key: string; contentType: string; bytes?: number; expiresInSeconds: number },
): string {
  const { key, contentType, bytes } = upload
  const end = secondsAfter(needs.clock.now(), upload.expiresInSeconds)
  const expires = Math.ceil(end.getTime() / 1_000)
  const query = new URLSearchParams({
    type: contentType,
    ...(bytes === undefined ? {} : { bytes: String(bytes) }),
    expires: String(expires),
    signature: signatureOf(needs.signingKeys.current, { key, contentType, bytes, expires }),
  })
  return `${needs.publicUrl}/${key}?${query}`
}

/** The grant of an address, where it is ours and not over. */
export function verifyUpload(
  needs: SignatureNeeds,
  key: string,
  query: Readonly<Record<string, unknown>>,
): UploadGrant | undefined {
  const { type, bytes, expires, signature } = query
  if (typeof type !== 'string' || typeof expires !== 'string' || typeof signature !== 'string')
    return undefined
  if (!/^\d{1,12}$/.test(expires)) return undefined
  if (bytes !== undefined && !(typeof bytes === 'string' && /^\d{1,12}$/.test(bytes))) return undefined
  const size = bytes === undefined ? undefined : Number(bytes)
  const grant = { key, contentType: type, bytes: size, expires: Number(expires) }
  if (!isOurs(needs, signature, (signingKey) => signatureOf(signingKey, grant))) return undefined
  return needs.clock.now().getTime() < grant.expires * 1_000 ? grant : undefined
}

/** What a signed download address allows. */
export interface DownloadGrant {
  key: string
  fileName: string
  contentType: string
  /** Shown in a page, not kept as a file. */
  shown: boolean
  /** Unix seconds. */
  expires: number
}

/** The address of a download: its grant, readable, and a keyed hash over it. */
export function downloadAddress(
  needs: SignatureNeeds,
  download: { key: string; fileName: string; contentType: string; expiresInSeconds: number; shown?: boolean },
): string {
  const { key, fileName, contentType, shown = false } = download
  const end = secondsAfter(needs.clock.now(), download.expiresInSeconds)
  const expires = Math.ceil(end.getTime() / 1_000)
  const query = new URLSearchParams({
    name: fileName,
    type: contentType,
    ...(shown ? { shown: '1' } : {}),
    expires: String(expires),
    signature: downloadSignatureOf(needs.signingKeys.current, { key, fileName, contentType, shown, expires }),
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
  const shown = query.shown === '1'
  const grant = { key, fileName: name, contentType: type, shown, expires: Number(expires) }
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
  { key, fileName, contentType, shown, expires }: DownloadGrant,
): string {
  const parts = [key, fileName, contentType, ...(shown ? ['shown'] : []), String(expires)]
  return keyedHash(signingKey, 'GET', ...parts).toString('base64url')
}

function signatureOf(signingKey: Uint8Array, { key, contentType, bytes, expires }: UploadGrant): string {
  const size = bytes === undefined ? [] : [String(bytes)]
  return keyedHash(signingKey, 'PUT', key, contentType, ...size, String(expires)).toString('base64url')
}
