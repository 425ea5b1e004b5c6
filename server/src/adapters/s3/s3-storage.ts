import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { fileDisposition } from '../../platform/http/file-disposition.ts'
import { outside } from '../../platform/outside/outside.ts'
import { countOf, identifierOf, wholeTextOf } from '../../platform/outside/outside-fields.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import type { ListedObject, ObjectStoragePort } from '../../ports/object-storage.ts'
import { dropParts, joinParts, signParts } from './signed-parts.ts'
import { writeInParts } from './write-in-parts.ts'

export interface S3StorageOptions {
  /** Also where browsers upload to. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: Secret
  /** For tests: how long the store may take in all to hand over the bytes of one small object. */
  readWithinMs?: number
}

export interface S3Storage extends ObjectStoragePort {
  /** Ends its connections. */
  close(): void
}

const CONNECT_WITHIN_MS = 2_000
const ANSWER_WITHIN_MS = 10_000
const READ_WITHIN_MS = 15_000
/** A mebibyte in a second: a large object is given longer. */
const READ_BYTES_PER_MS = (1024 * 1024) / 1_000
const ATTEMPTS = 2
/** Of what a store says of an object beside its bytes. */
const LABEL_LENGTH_MAX = 255
const KEY_LENGTH_MAX = 1_024
/** Of one request to delete. */
const DELETE_MAX = 1_000

/** Object storage in a bucket of any S3-compatible store. No conditional write is relied upon: stores differ in them. */
export function s3Storage(options: S3StorageOptions): S3Storage {
  const { bucket: Bucket, readWithinMs = READ_WITHIN_MS } = options
  const client = connect(options)
  return {
    signUpload: ({ key, contentType, expiresInSeconds }) =>
      attempt('sign', () =>
        getSignedUrl(client, new PutObjectCommand({ Bucket, Key: key, ContentType: contentType }), {
          expiresIn: expiresInSeconds,
          // the default signs the host alone: any type could be uploaded
          signableHeaders: new Set(['content-type']),
        }),
      ),
    signParts: (upload) => signParts(client, Bucket, upload),
    joinParts: (upload) => joinParts(client, Bucket, upload),
    dropParts: (prefix, before) => dropParts(client, Bucket, prefix, before),
    signDownload: (download) => attempt('sign', () => signDownload(client, Bucket, download)),
    find: (key) =>
      attempt('find', async () => {
        const found = await orAbsent(client.send(new HeadObjectCommand({ Bucket, Key: key })))
        return found && describe(key, found)
      }),
    open: (wanted) => attempt('open', () => openObject(client, Bucket, wanted, readWithinMs)),
    write: (key, bytes, { contentType, cacheControl }) =>
      attempt('write', async () => {
        const object = { Bucket, Key: key, Body: bytes, ContentType: contentType, CacheControl: cacheControl }
        await client.send(new PutObjectCommand(object))
      }),
    writeStream: (key, bytes, { contentType, cacheControl }) =>
      writeInParts(client, { Bucket, Key: key, ContentType: contentType, CacheControl: cacheControl }, bytes),
    copy: (copied) => attempt('copy', () => copy(client, Bucket, copied)),
    remove: (keys) => attempt('remove', () => removeAll(client, Bucket, keys)),
    list: (prefix) => listAll(client, Bucket, prefix),
    check: () => attempt('check', async () => void (await client.send(new HeadBucketCommand({ Bucket })))),
    close: () => client.destroy(),
  }
}

function signDownload(
  client: S3Client,
  Bucket: string,
  { key, contentType, expiresInSeconds, ...file }: Parameters<ObjectStoragePort['signDownload']>[0],
): Promise<string> {
  const command = new GetObjectCommand({
    Bucket,
    Key: key,
    ResponseContentType: contentType,
    ResponseContentDisposition: fileDisposition(file),
  })
  return getSignedUrl(client, command, { expiresIn: expiresInSeconds })
}

async function openObject(
  client: S3Client,
  Bucket: string,
  { key, etag }: Parameters<ObjectStoragePort['open']>[0],
  readWithinMs: number,
): ReturnType<ObjectStoragePort['open']> {
  const condition = etag === undefined ? {} : { IfMatch: quoted(etag) }
  const found = await orAbsent(client.send(new GetObjectCommand({ Bucket, Key: key, ...condition })))
  if (!found) return undefined
  const body = found.Body as Readable
  const object = describe(key, found)
  const withinMs = readWithinMs + object.sizeBytes / READ_BYTES_PER_MS
  return {
    ...object,
    cacheControl: wholeTextOf(found.CacheControl, LABEL_LENGTH_MAX) || undefined,
    bytes: reading(body, withinMs),
    close: async () => void body.destroy(),
  }
}

/** @returns false where the object is another one by now */
async function copy(
  client: S3Client,
  Bucket: string,
  { from, etag, to, contentType, cacheControl }: Parameters<ObjectStoragePort['copy']>[0],
): Promise<boolean> {
  const command = new CopyObjectCommand({
    Bucket,
    Key: to,
    CopySource: `${Bucket}/${from}`,
    CopySourceIfMatch: quoted(etag),
    MetadataDirective: 'REPLACE',
    ContentType: contentType,
    CacheControl: cacheControl,
  })
  return (await orAbsent(client.send(command))) !== undefined
}

function connect(options: S3StorageOptions): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = options
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey: secretAccessKey.reveal() },
    // names of buckets as names of hosts are not for every store
    forcePathStyle: true,
    // else the checksum of no bytes at all becomes part of signed addresses, and strict stores refuse the upload
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      requestTimeout: ANSWER_WITHIN_MS,
      throwOnRequestTimeout: true,
      socketTimeout: ANSWER_WITHIN_MS,
    },
  })
}

function describe(
  key: string,
  found: { ContentLength?: number | undefined; ETag?: string | undefined; ContentType?: string | undefined },
) {
  const sizeBytes = countOf(found.ContentLength)
  const etag = identifierOf(found.ETag?.replaceAll('"', ''))
  if (sizeBytes === undefined || etag === undefined)
    throw new Error('the store answered without a usable size or etag')
  return { key, sizeBytes, etag, contentType: wholeTextOf(found.ContentType, LABEL_LENGTH_MAX) }
}

function quoted(etag: string): string {
  return `"${etag}"`
}

/** Undefined where the answer is that the object is not there, or not the one that was asked for. */
async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
    // a bucket that is not there is a fault, not an absent object; HEAD cannot tell them apart
    const { name } = error as Error
    if ((status === 404 && name !== 'NoSuchBucket') || status === 412) return undefined
    throw error
  }
}

/**
 * A connection that breaks while the bytes are read is the store's failure, and so is one that trickles: it is given so
 * long in all. The reader's own time in between does not count.
 */
async function* reading(body: Readable, withinMs: number): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  let leftMs = withinMs
  try {
    while (true) {
      const began = performance.now()
      const late = setTimeout(() => body.destroy(new Error('the store is too slow')), Math.max(0, leftMs))
      const next = await chunks.next().finally(() => clearTimeout(late))
      if (next.done) return
      leftMs -= performance.now() - began
      yield next.value as Uint8Array
    }
  } catch (cause) {
    throw new ProviderFailure('s3', 'read', { retryable: true, cause })
  } finally {
    body.destroy()
  }
}

async function removeAll(client: S3Client, Bucket: string, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += DELETE_MAX) {
    const Objects = keys.slice(at, at + DELETE_MAX).map((Key) => ({ Key }))
    const { Errors } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    )
    const [first] = (Errors ?? []).filter(({ Code }) => Code !== 'NoSuchKey')
    if (first) throw new Error(`the store did not delete: ${first.Code}`)
  }
}

async function* listAll(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<ListedObject[]> {
  let token: string | undefined
  do {
    const from = token === undefined ? {} : { ContinuationToken: token }
    const page = await attempt('list', () =>
      client.send(new ListObjectsV2Command({ Bucket, Prefix, ...from })),
    )
    const found = (page.Contents ?? []).flatMap(({ Key, LastModified }) => {
      const key = identifierOf(Key, KEY_LENGTH_MAX)
      // what is listed may be removed: nothing that was not asked for
      return key?.startsWith(Prefix) && LastModified ? [{ key, modifiedAt: LastModified }] : []
    })
    if (found.length > 0) yield found
    const next = page.IsTruncated ? page.NextContinuationToken : undefined
    if (next !== undefined && next === token) throw listInCircles()
    token = next
  } while (token !== undefined)
}

function listInCircles(): ProviderFailure {
  return new ProviderFailure('s3', 'list', { retryable: true, cause: new Error('its list leads in circles') })
}

function attempt<T>(action: string, work: () => Promise<T>): Promise<T> {
  return outside({ provider: 's3', action }, work)
}
