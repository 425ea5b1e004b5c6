import type { Server } from '../../platform/http/server.ts'
import { renderCalendarCompletion } from './completion-page.ts'

export interface CalendarRoutesNeeds {
  baseUrl: string
  frontendUrl: string
}

/**
 * Providers send browsers back to the front end itself, which holds the verifier. Where this server is its own front
 * end, this is the page they come to.
 */
export function serveCalendarRoutes(server: Server, { baseUrl, frontendUrl }: CalendarRoutesNeeds): void {
  if (frontendUrl !== baseUrl) return
  const { html, policy } = renderCalendarCompletion()
  server.get('/calendar/complete', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html),
  )
}
