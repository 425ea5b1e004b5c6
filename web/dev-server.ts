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

/** What the browser asks Vite for: its own, the sources, and what they take from beside them. */
export const DEV_PATHS: readonly string[] = [
  ...['/@vite/', '/@react-refresh', '/@id/', '/@fs/', '/node_modules/'],
  ...['/src/', '/page-paths.ts'],
]

/** Behind the office's own address; only its notices of changes have a port of their own. */
export async function openDevServer(noticesPort: number): Promise<DevServer> {
  const vite = await createServer({
    ...viteOptions,
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { port: noticesPort, clientPort: noticesPort } },
  })
  return {
    paths: DEV_PATHS,
    answer: (request, response) => vite.middlewares(request, response, () => response.writeHead(404).end()),
    page: async (path) =>
      await vite.transformIndexHtml(path, await readFile(join(vite.config.root, 'index.html'), 'utf8')),
    close: () => vite.close(),
  }
}
