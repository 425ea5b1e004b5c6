import { serveScriptPages } from '../../platform/http/script-page.ts'
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
export function serveCalendarRoutes(server: Server, needs: CalendarRoutesNeeds): void {
  serveScriptPages(server, needs, { '/calendar/complete': renderCalendarCompletion() })
}
