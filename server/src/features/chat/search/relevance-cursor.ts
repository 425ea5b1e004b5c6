import { invalidCursor } from '../../../platform/cursor.ts'

/** Where a page of a search ends. */
export interface FoundPlace {
  relevance: number
  messageId: number
}

const WRITTEN = /^(\d{1,9})\.(\d{1,15})$/

export function encodeRelevance({ relevance, messageId }: FoundPlace): string {
  return Buffer.from(`${relevance}.${messageId}`).toString('base64url')
}

/** @throws Refusal `invalid` where the text is no cursor of a search */
export function decodeRelevance(cursor: string): FoundPlace {
  const [, relevance, messageId] = WRITTEN.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (relevance === undefined || messageId === undefined) throw invalidCursor('cursor')
  return { relevance: Number(relevance), messageId: Number(messageId) }
}
