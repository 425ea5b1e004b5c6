import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Ends } from '../processes.ts'

/** All that it understands, whatever is said. */
const SAID = 'The budget of May is good. We begin with <b>it</b>.'
/** Short: where recording ends a moment after it began, words beyond the end of what was said are left out. */
const WORD_SECONDS = 0.01

/** Stands in for a transcriber (docs/transcriber.md). @returns its address */
export async function openTranscriber(ends: Ends): Promise<string> {
  const words = SAID.split(' ').map((text, index) => ({
    from: index * WORD_SECONDS,
    to: (index + 1) * WORD_SECONDS,
    text,
  }))
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ words })))
  })
  ends.push(async () => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
