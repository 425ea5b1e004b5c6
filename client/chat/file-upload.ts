import type { Reply } from '@atrium/contract'
import { AtriumUnreachable } from '../errors.ts'
import type { AtriumClient } from '../index.ts'
import { backoffMs } from '../requests/backoff.ts'
import { putFile } from '../requests/put-file.ts'

/** A file of a message. */
export type Attachment = Reply<'finalizeAttachment'>['body']

/** What is uploaded: a `File` of a browser is one. */
export interface NewFile {
  name: string
  blob: Blob
}

export interface FileUploadOptions {
  /** The part that is sent, from 0 to 1. */
  onProgress?: (part: number) => void
  /** Told when the connection has broken off; it goes on by itself where it was. */
  onWaiting?: () => void
  signal?: AbortSignal
}

const LAST_PAUSE_MS = 15_000
/** How long the office may be away. */
const LOST_MAX_MS = 15 * 60_000
const NO_TYPE = 'application/octet-stream'
const TYPE = /^[a-zA-Z0-9!#$&^_.+-]+\/[a-zA-Z0-9!#$&^_.+-]+$/
const NAME_LENGTH_MAX = 255

/**
 * Uploads a file for a conversation, and has it checked: part by part, each again where it was cut off, so that a lost
 * network costs no more than one of them. @returns the file, to be sent with a message. Rejects as `call` does, and
 * where it is given up
 */
export async function uploadFile(
  client: AtriumClient,
  conversationId: number,
  { name, blob }: NewFile,
  options: FileUploadOptions = {},
): Promise<Attachment> {
  const { signal } = options
  const [said = ''] = blob.type.split(';')
  const contentType = TYPE.test(said) ? said : NO_TYPE
  const asked = { conversationId, name: fittingName(name), contentType, bytes: blob.size }
  const ticket = await untilAnswered(options, () =>
    client.call('createAttachmentTicket', asked, signal ? { signal } : {}),
  )
  const until = performance.now() + ticket.expiresInSeconds * 1_000
  let sent = 0
  for (const part of ticket.parts) {
    const size = part.to - part.from
    const file = { blob: blob.slice(part.from, part.to), contentType }
    const onProgress = (share: number) => options.onProgress?.((sent + share * size) / blob.size)
    await untilSent({ ...options, until }, () =>
      putFile(client, part.url, file, {
        ...(options.onProgress && { onProgress }),
        ...(signal && { signal }),
      }),
    )
    sent += size
  }
  const { attachmentId } = ticket
  // what was checked is answered again
  return await untilAnswered(options, () =>
    client.call('finalizeAttachment', { attachmentId }, signal ? { signal } : {}),
  )
}

/** Sends one part again and again, until the store has it. */
async function untilSent(
  { signal, onWaiting, until }: FileUploadOptions & { until: number },
  send: () => Promise<number>,
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    signal?.throwIfAborted()
    let cause: unknown
    const status = await send().catch((error: unknown) => {
      cause = error
      return undefined
    })
    signal?.throwIfAborted()
    if (status !== undefined && status < 300) return
    const isLost = status === undefined || status >= 500 || status === 429
    const pauseMs = Math.min(backoffMs(failures), LAST_PAUSE_MS)
    if (!isLost || performance.now() + pauseMs > until) throw notTaken(status, cause)
    onWaiting?.()
    await pause(pauseMs, signal)
  }
}

function notTaken(status: number | undefined, cause: unknown): AtriumUnreachable {
  const said = status === undefined ? 'does not answer' : `refused the file (${status})`
  const options = { cause, ...(status !== undefined && { status }) }
  return new AtriumUnreachable('uploadFile', `The store of files ${said}`, options)
}

/** Asks again and again, until the office says something. */
async function untilAnswered<Answer>(
  { signal, onWaiting }: FileUploadOptions,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const until = performance.now() + LOST_MAX_MS
  for (let failures = 1; ; failures += 1) {
    try {
      return await ask()
    } catch (error) {
      signal?.throwIfAborted()
      const pauseMs = Math.min(backoffMs(failures), LAST_PAUSE_MS)
      if (!(error instanceof AtriumUnreachable) || performance.now() + pauseMs > until) throw error
      onWaiting?.()
      await pause(pauseMs, signal)
    }
  }
}

/** Ends early where the network is there again. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const page = globalThis as Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>>
    const end = () => {
      clearTimeout(timer)
      page.removeEventListener?.('online', end)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    page.addEventListener?.('online', end)
    signal?.addEventListener('abort', end)
  })
}

/** A name as the office takes it: of a longer one the end is kept, by which programs know the kind, and no half of a character. */
function fittingName(name: string): string {
  if (name.length <= NAME_LENGTH_MAX) return name
  const end = /\.[^.]{1,16}$/.exec(name)?.[0] ?? ''
  return name.slice(0, NAME_LENGTH_MAX - end.length).replace(/[\ud800-\udbff]$/, '') + end
}
