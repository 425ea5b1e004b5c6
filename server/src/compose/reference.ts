import { serveReference } from '../features/reference/routes.ts'
import type { Opening, Part } from './part.ts'

/** What runs here, and the reference of its interface. */
export function openReference({ config: { environment, baseUrl, broker } }: Opening): Part {
  return {
    needs: {},
    routes: (server) => serveReference(server, { environment, baseUrl, brokerUrl: broker.publicUrl }),
  }
}
