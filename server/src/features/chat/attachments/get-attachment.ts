import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import { askChat, type ChatCallNeeds } from '../messages/chat-call.ts'

interface Needs extends ChatCallNeeds {
  storage: Pick<ObjectStoragePort, 'signDownload'>
}

interface File {
  key: string
  previewKey: string | null
  name: string
  contentType: string
}

const EXPIRES_IN_SECONDS = 300

/** An address under which a file can be fetched for a short time, by every holder of it. */
export async function getAttachment(
  { storage, ...needs }: Needs,
  caller: CallerOf<'getAttachment'>,
  { attachmentId, preview = false }: Input<'getAttachment'>,
): Promise<Reply<'getAttachment'>> {
  const file = await askChat<File>(needs, caller, 'file_of_attachment($1)', [attachmentId])
  const { name: fileName, contentType } = file
  if (!preview) {
    const download = { key: file.key, fileName, contentType, expiresInSeconds: EXPIRES_IN_SECONDS }
    return { status: 200, body: { url: await storage.signDownload(download) } }
  }
  if (file.previewKey === null) throw Refusal.of('attachment-not-found')
  const shown = { key: file.previewKey, fileName, contentType: 'image/webp', shown: true }
  return {
    status: 200,
    body: { url: await storage.signDownload({ ...shown, expiresInSeconds: EXPIRES_IN_SECONDS }) },
  }
}
