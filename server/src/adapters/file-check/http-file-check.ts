import { Readable } from 'node:stream'
import { outside } from '../../platform/outside/outside.ts'
import type { FileCheckPort } from '../../ports/file-check.ts'

const CHECK_WITHIN_MS = 60_000

/** The check of files over HTTP (docs/file-check.md). Of its answer the status counts, and nothing else of it is read. */
export function httpFileCheck(url: string, { withinMs = CHECK_WITHIN_MS } = {}): FileCheckPort {
  return {
    check: ({ name, sizeBytes, bytes }) =>
      outside({ provider: 'file check', action: 'check' }, async () => {
        const response = await fetch(`${url}/check`, {
          method: 'POST',
          headers: {
            'content-type': 'application/octet-stream',
            'content-length': String(sizeBytes),
            'file-name': encodeURIComponent(name),
          },
          body: Readable.toWeb(Readable.from(bytes, { objectMode: false })) as ReadableStream<Uint8Array>,
          duplex: 'half',
          redirect: 'error',
          signal: AbortSignal.timeout(withinMs),
        } as RequestInit)
        await response.body?.cancel()
        if (response.status !== 204 && response.status !== 422)
          throw new Error(`it answered ${response.status}`)
        return { isClean: response.status === 204 }
      }),
  }
}
