import type { Server } from '../../platform/http/server.ts'
import { renderGuestPage } from './guest-page.ts'

/** Where links for guests lead, of an office that is its own front end. */
export function serveGuestPage(server: Server, needs: { frontendUrl: string; baseUrl: string }): void {
  if (needs.frontendUrl !== needs.baseUrl) return
  server.get('/guest', async (_request, reply) => {
    const { html, policy } = renderGuestPage()
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html)
  })
}
