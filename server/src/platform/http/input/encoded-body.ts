import type { IncomingHttpHeaders } from 'node:http'

/** Whether a body is compressed or otherwise encoded: we read plain ones only. */
export function isEncoded(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  return encoding !== undefined && encoding !== '' && encoding !== 'identity'
}
