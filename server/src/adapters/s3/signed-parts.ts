import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { outside } from '../../platform/outside/outside.ts'
import type { PartedUpload } from '../../ports/object-storage.ts'

/** What is sent again where a connection breaks. Stores want 5 MiB at least. */
const PART_BYTES = 8 * 1024 * 1024
/** Of one request to list. */
const PAGE = 1_000

interface NewUpload {
  key: string
  contentType: string
  bytes: number
  expiresInSeconds: number
}

interface Begun {
  key: string
  session: string | undefined
  bytes: number
}

/** Addresses for an upload of a known size: one up to 8 MiB, beyond that one for each 8 MiB. @throws ProviderFailure */
export function signParts(client: S3Client, Bucket: string, upload: NewUpload): Promise<PartedUpload> {
  return attempt('sign', () => sign(client, Bucket, upload))
}

async function sign(client: S3Client, Bucket: string, upload: NewUpload): Promise<PartedUpload> {
  const { key: Key, contentType: ContentType, bytes, expiresInSeconds: expiresIn } = upload
  if (bytes <= PART_BYTES) {
    const command = new PutObjectCommand({ Bucket, Key, ContentType, ContentLength: bytes })
    const signableHeaders = new Set(['content-type', 'content-length'])
    const url = await getSignedUrl(client, command, { expiresIn, signableHeaders })
    return { parts: [{ url, from: 0, to: bytes }], session: undefined }
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType }))
  if (UploadId === undefined) throw new Error('the store began an upload without a name')
  const parts: PartedUpload['parts'] = []
  for (let from = 0; from < bytes; from += PART_BYTES) {
    const to = Math.min(from + PART_BYTES, bytes)
    const part = { Bucket, Key, UploadId, PartNumber: parts.length + 1, ContentLength: to - from }
    const signableHeaders = new Set(['content-length'])
    const url = await getSignedUrl(client, new UploadPartCommand(part), { expiresIn, signableHeaders })
    parts.push({ url, from, to })
  }
  return { parts, session: UploadId }
}

/**
 * Makes one object of the parts that the store has: it knows them, so no browser is asked for their etags. Until all of them
 * are there nothing is made: it would end the upload for those that are under way. Made before, the session is gone: whether
 * the object is there is for the caller to find out. @throws ProviderFailure
 */
export function joinParts(client: S3Client, Bucket: string, upload: Begun): Promise<boolean> {
  return attempt('join', () => join(client, Bucket, upload))
}

async function join(
  client: S3Client,
  Bucket: string,
  { key: Key, session: UploadId, bytes }: Begun,
): Promise<boolean> {
  if (UploadId === undefined) return true
  const upload = { Bucket, Key, UploadId }
  try {
    const { Parts = [] } = await client.send(new ListPartsCommand({ ...upload, MaxParts: PAGE }))
    const came = Parts.reduce((sum, { Size = 0 }) => sum + Size, 0)
    if (came !== bytes) return false
    const known = Parts.map(({ ETag, PartNumber }) => ({ ETag, PartNumber }))
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: known } }))
    return true
  } catch (error) {
    const { name } = error as Error
    if (name === 'NoSuchUpload') return true
    // a part in the middle is missing, or too small
    if (name === 'InvalidPart' || name === 'EntityTooSmall' || name === 'InvalidPartOrder') return false
    throw error
  }
}

/** What was begun before then and never joined: its parts are kept, and paid for. @throws ProviderFailure */
export function dropParts(client: S3Client, Bucket: string, prefix: string, before: Date): Promise<void> {
  return attempt('drop', () => drop(client, Bucket, prefix, before))
}

async function drop(client: S3Client, Bucket: string, Prefix: string, before: Date): Promise<void> {
  let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
  while (from) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix, MaxUploads: PAGE, ...from }),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key?.startsWith(Prefix) || !Initiated || Initiated >= before) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    }
    from = page.IsTruncated ? behind(page, from) : undefined
  }
}

function behind(
  { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker }: ListMultipartUploadsCommandOutput,
  last: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined },
) {
  const isSame = KeyMarker === last.KeyMarker && UploadIdMarker === last.UploadIdMarker
  if (!KeyMarker || isSame) throw new Error('the list of uploads leads in circles')
  return { KeyMarker, UploadIdMarker }
}

function attempt<T>(action: string, work: () => Promise<T>): Promise<T> {
  return outside({ provider: 's3', action }, work)
}
