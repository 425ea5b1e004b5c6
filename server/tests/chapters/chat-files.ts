import { removeReplacedJob } from '../../src/features/uploads/jobs.ts'
import type { TestOffice } from '../office.ts'
import type { Person } from '../people.ts'
import { addressAt, put } from './uploads.ts'

/** Removes from the store what no row names any more, and does not wait for its time. */
export async function removeReplaced({ office }: TestOffice): Promise<void> {
  const { needs, uploads, clock } = office
  const job = removeReplacedJob({ db: needs.db, clock, storage: uploads.storage })
  await job.run(new AbortController().signal)
}

export interface TestFile {
  conversationId: number
  name?: string
  contentType?: string
  bytes?: Uint8Array
}

/** Uploads a file for a conversation as a front end would: a ticket, then each part. @returns its id, to finalize */
export async function uploadFile(
  office: TestOffice,
  { browser }: Pick<Person, 'browser'>,
  { conversationId, name = 'notes.txt', contentType = 'text/plain', bytes = Buffer.from('Notes') }: TestFile,
): Promise<string> {
  const asked = { conversationId, name, contentType, bytes: bytes.length }
  const { attachmentId, parts } = await browser.call('createAttachmentTicket', asked)
  for (const { url, from, to } of parts) {
    const { status } = await put(addressAt(office, url), bytes.subarray(from, to), contentType)
    if (status !== 200) throw new Error(`the part was answered ${status}`)
  }
  return attachmentId
}

/** The same, and finishes it. */
export async function finishedFile(
  office: TestOffice,
  person: Pick<Person, 'browser'>,
  file: TestFile,
): Promise<string> {
  const attachmentId = await uploadFile(office, person, file)
  await person.browser.call('finalizeAttachment', { attachmentId })
  return attachmentId
}
