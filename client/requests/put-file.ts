import type { AtriumClient } from '../index.ts'

interface SentFile {
  blob: Blob
  contentType: string
}

interface PutOptions {
  /** The part that is sent, from 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

type Put = (client: AtriumClient, url: string, file: SentFile, options: PutOptions) => Promise<number>

/** Sends a file to a signed address of the store. @returns the status. Rejects where the connection breaks, or on abort */
export const putFile: Put = (client, url, file, options) =>
  options.onProgress && typeof XMLHttpRequest !== 'undefined'
    ? putWithProgress(client, url, file, options)
    : putAtOnce(client, url, file, options)

const putAtOnce: Put = async (client, url, { blob, contentType }, { signal }) => {
  const headers = { 'content-type': contentType }
  // the address is the permission: no cookie goes along, which may be to another host
  const init = { method: 'PUT', headers, body: blob, credentials: 'omit', ...(signal && { signal }) } as const
  return (await client.fetch(url, init)).status
}

/** `fetch` does not tell how far it is. */
const putWithProgress: Put = (_client, url, { blob, contentType }, { onProgress, signal }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('content-type', contentType)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      onProgress?.(1)
      resolve(request.status)
    }
    request.onerror = () => reject(new Error('the upload broke off'))
    request.onabort = () => reject(new Error('the upload was given up'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (signal?.aborted) reject(new Error('the upload was given up'))
    else request.send(blob)
  })
