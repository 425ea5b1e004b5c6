import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { outside } from '../../platform/outside/outside.ts'

interface NewObject {
  Bucket: string
  Key: string
  ContentType: string
  CacheControl: string
}

/** Held in memory. Stores want 5 MiB at least, and take 10,000 parts: 80 GiB. */
const PART_BYTES = 8 * 1024 * 1024

/** Writes an object of any size: each part is sent by itself, and can be sent again. @throws ProviderFailure */
export function writeInParts(
  client: S3Client,
  object: NewObject,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  return outside({ provider: 's3', action: 'write' }, () => sendParts(client, object, bytes))
}

async function sendParts(
  client: S3Client,
  object: NewObject,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const parts = partsOf(bytes)
  try {
    await sendAll(client, object, parts)
  } finally {
    // else a failure leaves what they are read from open
    await parts.return(undefined)
  }
}

async function sendAll(
  client: S3Client,
  object: NewObject,
  parts: AsyncGenerator<Uint8Array, void>,
): Promise<void> {
  const first = await parts.next()
  const second = first.done ? first : await parts.next()
  if (second.done) {
    await client.send(new PutObjectCommand({ ...object, Body: first.value ?? new Uint8Array(0) }))
    return
  }
  const { Bucket, Key } = object
  await abortEarlier(client, { Bucket, Key })
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
  const upload = { Bucket, Key, UploadId }
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = []
    const send = async (Body: Uint8Array) => {
      const PartNumber = Parts.length + 1
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
      Parts.push({ ETag, PartNumber })
    }
    await send(first.value as Uint8Array)
    await send(second.value)
    for await (const part of parts) await send(part)
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  } catch (error) {
    // else its parts are kept, and paid for
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
    throw error
  }
}

/** What a process left behind that was killed while it wrote this object. */
async function abortEarlier(
  client: S3Client,
  { Bucket, Key }: { Bucket: string; Key: string },
): Promise<void> {
  const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }))
  for (const { UploadId } of (Uploads ?? []).filter((upload) => upload.Key === Key))
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
}

async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const chunk of bytes) {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < PART_BYTES) continue
    yield Buffer.concat(held)
    held = []
    heldBytes = 0
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}
