import { createStore, type Store, type WritableStore } from '../store.ts'
import type { Attachment, FileUploadOptions, NewFile } from './file-upload.ts'

/** A file on its way into a conversation. */
export interface Upload {
  id: number
  name: string
  bytes: number
  /** From 0 to 1. */
  part: number
  /** `waiting`: the network is lost, it goes on by itself. One of no bytes is `failed` at once, without `error`. */
  state: 'uploading' | 'waiting' | 'ready' | 'failed'
  attachment?: Attachment
  error?: unknown
}

/** As the office takes them in one message. */
export const FILES_MAX = 10
const BEGUN = { part: 0, state: 'uploading' } as const

/** Files that are to be sent with the next message, each with how far it is. */
export interface Uploads extends Store<readonly Upload[]> {
  /** Begins to upload them: as many as a message takes. @returns how many were left out */
  add(files: readonly File[]): number
  /** Gives one up, or takes one back. */
  cancel(id: number): void
  again(id: number): void
  /** Those that are ready, which are of a message from now on. */
  take(): Attachment[]
  close(): void
}

/** The files of `uploads`, with what gives each of them up. */
interface Uploading {
  store: WritableStore<readonly Upload[]>
  upload(file: NewFile, options: FileUploadOptions): Promise<Attachment>
  files: Map<number, { file: File; given: AbortController }>
  last: number
}

export function createUploads(upload: Uploading['upload']): Uploads {
  const store = createStore<readonly Upload[]>([])
  const { get, subscribe, update } = store
  const files: Uploading['files'] = new Map()
  const uploading: Uploading = { store, upload, files, last: 0 }
  return {
    ...{ get, subscribe },
    add(added) {
      const taken = added.slice(0, Math.max(0, FILES_MAX - get().length))
      for (const file of taken) {
        uploading.last += 1
        const { last: id } = uploading
        // the office takes no empty file, however often it is asked
        const isEmpty = file.size === 0
        const state = isEmpty ? 'failed' : BEGUN.state
        update((uploads) => [...uploads, { ...BEGUN, id, name: file.name, bytes: file.size, state }])
        if (!isEmpty) void begin(uploading, id, file)
      }
      return added.length - taken.length
    },
    cancel(id) {
      giveUp(uploading, id)
      update((uploads) => uploads.filter((one) => one.id !== id))
    },
    again(id) {
      const file = files.get(id)?.file
      if (!file) return
      change(uploading, id, { ...BEGUN, error: undefined })
      void begin(uploading, id, file)
    },
    take() {
      const ready = get().filter(({ state }) => state === 'ready')
      for (const { id } of ready) files.delete(id)
      update((uploads) => uploads.filter(({ state }) => state !== 'ready'))
      return ready.flatMap(({ attachment }) => attachment ?? [])
    },
    close() {
      for (const id of [...files.keys()]) giveUp(uploading, id)
      store.set([])
    },
  }
}

async function begin(uploading: Uploading, id: number, file: File): Promise<void> {
  const given = new AbortController()
  uploading.files.set(id, { file, given })
  try {
    const attachment = await uploading.upload(
      { name: file.name || 'file', blob: file },
      {
        signal: given.signal,
        onProgress: (part) => change(uploading, id, { part, state: 'uploading' }),
        onWaiting: () => change(uploading, id, { state: 'waiting' }),
      },
    )
    change(uploading, id, { part: 1, state: 'ready', attachment })
  } catch (error) {
    if (!given.signal.aborted) change(uploading, id, { state: 'failed', error })
  }
}

function change({ store }: Uploading, id: number, changed: Partial<Upload>): void {
  store.update((uploads) => uploads.map((one) => (one.id === id ? { ...one, ...changed } : one)))
}

function giveUp({ files }: Uploading, id: number): void {
  files.get(id)?.given.abort()
  files.delete(id)
}
