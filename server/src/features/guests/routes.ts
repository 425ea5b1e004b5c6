import { serveScriptPages } from '../../platform/http/script-page.ts'
import type { Server } from '../../platform/http/server.ts'
import { renderGuestPage } from './guest-page.ts'

/** Where links for guests lead, of an office that is its own front end. */
export function serveGuestPage(server: Server, needs: { frontendUrl: string; baseUrl: string }): void {
  serveScriptPages(server, needs, { '/guest': renderGuestPage() })
}
