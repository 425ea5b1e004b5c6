import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** As a collector asks, under any name of the host. */
export async function statusForCollector(
  baseUrl: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  const { port } = new URL(baseUrl)
  const asking = request({ port, host: '127.0.0.1', path: '/metrics', headers }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const body = await text(answer)
  assert.equal(body.includes('rtc_'), answer.statusCode === 200)
  const challenge = headers.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
  assert.equal(answer.headers['www-authenticate'], answer.statusCode === 401 ? challenge : undefined)
  return answer.statusCode
}
