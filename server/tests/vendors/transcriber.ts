import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a transcriber is sent of one stretch. */
export interface SentStretch {
  path: string | undefined
  type: string | undefined
  sound: Buffer
}

/**
 * Stands in for a transcriber (docs/transcriber.md). It understands every stretch as the same two words until `answer`
 * is replaced.
 */
export async function standInTranscriber() {
  const sent: SentStretch[] = []
  const standIn = {
    url: '',
    sent,
    answer: (response: ServerResponse, _stretch: SentStretch): void => {
      response.end(JSON.stringify(understood('good', 'morning')))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer(async (request, response) => {
    const sound = Buffer.concat(await request.toArray())
    const stretch = { path: request.url, type: request.headers['content-type'], sound }
    sent.push(stretch)
    standIn.answer(response, stretch)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
}

/** An answer with these words, a tenth of a second each. */
export function understood(...texts: string[]) {
  return { words: texts.map((text, index) => ({ from: index / 10, to: (index + 1) / 10, text })) }
}
