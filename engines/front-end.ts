import { rolldown } from 'rolldown'
import { openOwnServer } from './own-server.ts'
import type { Ends } from './processes.ts'

/**
 * Serves a page with one script at an origin of its own, as another front end would be.
 * @param source file of the script, with whatever it imports; the page loads it as `/page.js`
 * @param modules folder of modules that it imports, where they are not those of this repository
 * @returns its origin
 */
export async function serveFrontEnd(
  ends: Ends,
  { source, html, modules }: { source: string; html: string; modules?: string },
): Promise<string> {
  const scripts = await bundle(source, modules)
  const port = await openOwnServer(ends, (request, response) => {
    const script = scripts.get(request.url ?? '')
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html').end(script ?? html)
  })
  return `http://localhost:${port}`
}

/** @returns code by path: the page's own, and each part that it loads when it needs it */
async function bundle(source: string, modules?: string): Promise<ReadonlyMap<string, string>> {
  const build = await rolldown({
    ...{ input: source, platform: 'browser', logLevel: 'silent' },
    ...(modules ? { resolve: { modules: [modules] } } : {}),
    // what is written for any bundler asks for it
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await build.generate({ format: 'esm', entryFileNames: 'page.js' })
  await build.close()
  return new Map(
    output.flatMap((part) => (part.type === 'chunk' ? [[`/${part.fileName}`, part.code] as const] : [])),
  )
}
