import { createStore, type Store } from '../store.ts'
import type { Attachment, FileUploadOptions, NewFile } from './file-upload.ts'

/** A file on its way into a conversation. */
export interface Upload {
  id: number
  name: string
  bytes: number
  /** From 0 to 1. */
  part: number
  /** `waiting`: the network is lost, it goes on by itself. */
  state: 'uploading' | 'waiting' | 'ready' | 'failed'
  attachment?: Attachment
  error?: unknown
}

/** As the office takes them in one message. */
export const FILES_MAX = 10

/** Files that are to be sent with the next message, each with how far it is. */
export interface Uploads extends Store<readonly Upload[]> {
  /** Begins to upload them: as many as a message takes. */
  add(files: readonly File[]): void
  /** Gives one up, or takes one back. */
  cancel(id: number): void
  again(id: number): void
  /** Those that are ready, which are of a message from now on. */
  take(): Attachment[]
  close(): void
}

export function createUploads(
  upload: (file: NewFile, options: FileUploadOptions) => Promise<Attachment>,
): Uploads {
  const store = createStore<readonly Upload[]>([])
  let last = 0
  const files = new Map<number, { file: File; given: AbortController }>()
  const change = (id: number, changed: Partial<Upload>) =>
    store.update((uploads) => uploads.map((one) => (one.id === id ? { ...one, ...changed } : one)))
  const begin = async (id: number, file: File) => {
    const given = new AbortController()
    files.set(id, { file, given })
    try {
      const attachment = await upload(
        { name: file.name || 'file', blob: file },
        {
          signal: given.signal,
          onProgress: (part) => change(id, { part, state: 'uploading' }),
          onWaiting: () => change(id, { state: 'waiting' }),
        },
      )
      change(id, { part: 1, state: 'ready', attachment })
    } catch (error) {
      if (!given.signal.aborted) change(id, { state: 'failed', error })
    }
  }
  const end = (id: number) => {
    files.get(id)?.given.abort()
    files.delete(id)
  }
  return {
    get: store.get,
    subscribe: store.subscribe,
    add(added) {
      for (const file of added.slice(0, Math.max(0, FILES_MAX - store.get().length))) {
        last += 1
        const begun: Upload = { id: last, name: file.name, bytes: file.size, part: 0, state: 'uploading' }
        store.update((uploads) => [...uploads, begun])
        void begin(last, file)
      }
    },
    cancel(id) {
      end(id)
      store.update((uploads) => uploads.filter((one) => one.id !== id))
    },
    again(id) {
      const file = files.get(id)?.file
      if (!file) return
      change(id, { part: 0, state: 'uploading', error: undefined })
      void begin(id, file)
    },
    take() {
      const ready = store.get().filter(({ state }) => state === 'ready')
      for (const { id } of ready) files.delete(id)
      store.update((uploads) => uploads.filter(({ state }) => state !== 'ready'))
      return ready.flatMap(({ attachment }) => attachment ?? [])
    },
    close() {
      for (const id of [...files.keys()]) end(id)
      store.set([])
    },
  }
}
