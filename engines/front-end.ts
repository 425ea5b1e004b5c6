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
  const scripts = await bundle(source)
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '')
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html').end(script ?? html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** @returns code by path: the page's own, and each part that it loads when it needs it */
async function bundle(source: string): Promise<ReadonlyMap<string, string>> {
  const build = await rolldown({ input: source, platform: 'browser', logLevel: 'silent' })
  const { output } = await build.generate({ format: 'esm', entryFileNames: 'page.js' })
  await build.close()
  return new Map(
    output.flatMap((part) => (part.type === 'chunk' ? [[`/${part.fileName}`, part.code] as const] : [])),
  )
}
