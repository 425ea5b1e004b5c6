import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createServer } from 'vite'
import { viteOptions } from './vite-options.ts'

/** The web office from its sources, each change at once in the browser. */
export interface DevServer {
  /** Beginnings of the paths that `answer` is for. */
  paths: readonly string[]
  answer(request: IncomingMessage, response: ServerResponse): void
  /** The HTML of a page. */
  page(path: string): Promise<string>
  close(): Promise<void>
}

/** Behind the office's own address; only its notices of changes have a port of their own. */
export async function openDevServer(noticesPort: number): Promise<DevServer> {
  const vite = await createServer({
    ...viteOptions,
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { port: noticesPort, clientPort: noticesPort } },
  })
  return {
    paths: ['/@vite/', '/@react-refresh', '/@id/', '/@fs/', '/src/', '/node_modules/'],
    answer: (request, response) => vite.middlewares(request, response, () => response.writeHead(404).end()),
    page: async (path) =>
      await vite.transformIndexHtml(path, await readFile(join(vite.config.root, 'index.html'), 'utf8')),
    close: () => vite.close(),
  }
}
