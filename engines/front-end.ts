import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rolldown } from 'rolldown'
import type { Ends } from './processes.ts'

/**
 * Serves a page with one script at an origin of its own, as another front end would be.
 * @param source file of the script, with whatever it imports; the page loads it as `/page.js`
 * @returns its origin
 */
export async function serveFrontEnd(
  ends: Ends,
  { source, html }: { source: string; html: string },
): Promise<string> {
  const script = await bundle(source)
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response
      .setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      .end(isScript ? script : html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

async function bundle(source: string): Promise<string> {
  const build = await rolldown({ input: source, platform: 'browser', logLevel: 'silent' })
  const { output } = await build.generate({ format: 'esm' })
  await build.close()
  assert.equal(output.length, 1)
  return output[0].code
}
