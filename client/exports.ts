import type { Reply } from '@atrium/contract'
import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'

export type Export = Reply<'listOrganizationExports'>['body']['exports'][number]
/** One that can be fetched. */
export type ReadyExport = Export & { downloadUrl: string }

/** The office could not make the archive. Nothing is wrong with the call: it may be tried again. */
export class ExportFailed extends Error {
  readonly exportId: string

  constructor(exportId: string) {
    super('The export could not be made')
    this.name = 'ExportFailed'
    this.exportId = exportId
  }
}

export interface ExportOptions {
  /** Told whenever it has become another one: from 0 to 100. */
  onProgress?: (percent: number) => void
  /** Ends the waiting, not the export. */
  signal?: AbortSignal
  /** How long to wait before the office is asked again; 2 seconds where not given. */
  everyMs?: number
}

const EVERY_MS = 2_000

/**
 * For admins: has an archive made of the organization. Resolves when it can be fetched: for five minutes at
 * `downloadUrl`, for a day at those that the list answers later.
 */
export function exportOrganization(client: AtriumClient, options: ExportOptions = {}): Promise<ReadyExport> {
  return make(client, 'startOrganizationExport', 'listOrganizationExports', options)
}

/**
 * Has an archive made of what is stored of the caller. Resolves when it can be fetched: for five minutes at
 * `downloadUrl`, for a day at those that the list answers later.
 */
export function exportOneself(client: AtriumClient, options: ExportOptions = {}): Promise<ReadyExport> {
  return make(client, 'startUserExport', 'listUserExports', options)
}

/** Where one is being made already, it is waited for. Rejects as `call` does, and with `ExportFailed`. */
async function make(
  client: AtriumClient,
  start: 'startOrganizationExport' | 'startUserExport',
  list: 'listOrganizationExports' | 'listUserExports',
  { onProgress, signal, everyMs = EVERY_MS }: ExportOptions,
): Promise<ReadyExport> {
  const callOptions = signal ? { signal } : {}
  const read = async () => (await client.call(list, undefined, callOptions)).exports
  const begin = async () => {
    try {
      return (await client.call(start, undefined, callOptions)).exportId
    } catch (error) {
      if (!(error instanceof AtriumError && error.error === 'export-running')) throw error
      const running = (await read()).find(({ state }) => state === 'running')
      if (!running) throw error
      return running.exportId
    }
  }
  const exportId = await begin()
  let progress: number | undefined
  for (;;) {
    const found = (await read()).find((one) => one.exportId === exportId)
    if (found && found.progress !== progress) onProgress?.(found.progress)
    progress = found?.progress
    if (found?.downloadUrl !== undefined) return { ...found, downloadUrl: found.downloadUrl }
    if (found?.state !== 'running') throw new ExportFailed(exportId)
    await pause(everyMs, signal)
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const give = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', give)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', give, { once: true })
  })
}
