/** An object, without its bytes. */
export interface StoredObject {
  key: string
  sizeBytes: number
  /** Names these bytes: another content under the same key has another one. */
  etag: string
  contentType: string
}

/** An object with bytes that can be read, once. Read them to the end or call `close`. */
export interface OpenObject extends StoredObject {
  cacheControl: string | undefined
  bytes: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** One stretch of an upload: from one byte to before another, and the address that it goes to by PUT. */
export interface UploadPart {
  url: string
  from: number
  to: number
}

/** An upload of a size that is known beforehand. */
export interface PartedUpload {
  parts: UploadPart[]
  /** What the store calls it, where it comes in several parts. */
  session: string | undefined
}

/** An object as a listing tells of it. */
export interface ListedObject {
  key: string
  modifiedAt: Date
}

export interface WriteOptions {
  contentType: string
  cacheControl: string
}

/**
 * Where files are kept. Keys are ours: segments of letters, digits, `_`, `-` and `.`, parted by slashes. A write is
 * whole or not there at all. Nothing is promised about two writes of one key at once but that one of them wins.
 */
export interface ObjectStoragePort {
  /**
   * An address to which its holder may PUT one object under this key for so long, with exactly this content type in the
   * header and any bytes.
   * @throws ProviderFailure
   */
  signUpload(upload: { key: string; contentType: string; expiresInSeconds: number }): Promise<string>
  /**
   * Addresses to which their holder may PUT one object of exactly so many bytes for so long: each takes its stretch of
   * them, no byte more or fewer, again where it was cut off, and this content type in the header.
   * @throws ProviderFailure
   */
  signParts(upload: {
    key: string
    contentType: string
    bytes: number
    expiresInSeconds: number
  }): Promise<PartedUpload>
  /**
   * Makes the object of an upload in several parts, of exactly so many bytes; again where it was made already. Of one in
   * one part there is nothing to do. @returns false where a part is missing: it can still come
   * @throws ProviderFailure
   */
  joinParts(upload: { key: string; session: string | undefined; bytes: number }): Promise<boolean>
  /** Drops what came of uploads below a prefix that were begun before then and never joined. @throws ProviderFailure */
  dropParts(prefix: string, before: Date): Promise<void>
  /**
   * An address from which its holder may GET the object under this key for so long: to be kept under that file name, or,
   * where `shown`, to be shown in a page. The object need not exist.
   * @param download.fileName any text without control characters
   * @throws ProviderFailure
   */
  signDownload(download: {
    key: string
    fileName: string
    contentType: string
    expiresInSeconds: number
    shown?: boolean
  }): Promise<string>
  /** What is under a key; undefined where nothing is. @throws ProviderFailure */
  find(key: string): Promise<StoredObject | undefined>
  /**
   * The object of a key for reading; undefined where there is none, or where `etag` is given and another content
   * is there now.
   * @throws ProviderFailure, also while the bytes are read
   */
  open(object: { key: string; etag?: string }): Promise<OpenObject | undefined>
  /** Keeps these bytes under a key, in place of what is there. @throws ProviderFailure */
  write(key: string, bytes: Uint8Array, options: WriteOptions): Promise<void>
  /**
   * The same with bytes as they come, of any number: only some of them are held in memory. Where they fail, what was
   * there stays.
   * @throws ProviderFailure, also where the bytes fail
   */
  writeStream(key: string, bytes: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<void>
  /**
   * Copies byte for byte, with a type and a cache header of its own.
   * @returns false where the source is gone or has another content than `etag` by now: nothing was copied
   * @throws ProviderFailure
   */
  copy(copy: { from: string; etag: string; to: string } & WriteOptions): Promise<boolean>
  /** Removes what is there of these keys. @throws ProviderFailure */
  remove(keys: readonly string[]): Promise<void>
  /**
   * All objects with keys that begin with `prefix`, which ends in a slash; in batches, in no order. @throws
   * ProviderFailure
   */
  list(prefix: string): AsyncIterable<ListedObject[]>
  /** Whether the store can be reached and lets us in. @throws ProviderFailure where not */
  check(): Promise<void>
}
