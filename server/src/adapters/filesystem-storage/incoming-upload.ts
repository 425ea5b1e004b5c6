import { UPLOAD_BYTES_MAX } from '../../platform/http/input/upload-size.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type SignatureNeeds, type UploadGrant, verifyUpload } from './upload-signature.ts'

/** An upload as it comes in on a signed address. */
export interface IncomingUpload {
  key: string
  query: Readonly<Record<string, unknown>>
  contentType: string | undefined
  lengthBytes: number | undefined
  bytes: AsyncIterable<Uint8Array>
}

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)+$/

export function isKey(key: string): boolean {
  return key.length <= 512 && KEY.test(key)
}

/** The bytes of an upload that its address allows; reading more or fewer of them throws. @throws Refusal */
export function boundedUpload(
  needs: SignatureNeeds,
  upload: IncomingUpload,
): { contentType: string; bytes: AsyncIterable<Uint8Array> } {
  const { contentType, bytes } = requireGranted(needs, upload)
  return {
    contentType,
    bytes: bytes === undefined ? capped(upload.bytes, UPLOAD_BYTES_MAX) : exactly(upload.bytes, bytes),
  }
}

function requireGranted(needs: SignatureNeeds, upload: IncomingUpload): UploadGrant {
  const grant = isKey(upload.key) ? verifyUpload(needs, upload.key, upload.query) : undefined
  if (!grant) {
    throw new Refusal('forbidden', 'This upload link is invalid or has expired', {
      error: 'upload-not-granted',
    })
  }
  if (upload.contentType !== grant.contentType) {
    throw new Refusal('forbidden', `This upload must come as ${grant.contentType}`, {
      error: 'upload-not-granted',
    })
  }
  const { bytes } = grant
  if (bytes !== undefined && (upload.lengthBytes ?? bytes) !== bytes) throw ofAnotherSize(bytes)
  if (bytes === undefined && (upload.lengthBytes ?? 0) > UPLOAD_BYTES_MAX) throw tooLarge()
  return grant
}

async function* exactly(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const chunk of bytes) {
    total += chunk.length
    if (total > size) throw ofAnotherSize(size)
    yield chunk
  }
  if (total < size) throw ofAnotherSize(size)
}

function ofAnotherSize(size: number): Refusal {
  const message = `This upload must have exactly ${size} bytes`
  return new Refusal('forbidden', message, { error: 'upload-not-granted' })
}

async function* capped(bytes: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const chunk of bytes) {
    total += chunk.length
    if (total > max) throw tooLarge()
    yield chunk
  }
}

function tooLarge(): Refusal {
  return Refusal.of('too-large', { message: `An upload has at most ${UPLOAD_BYTES_MAX} bytes` })
}
