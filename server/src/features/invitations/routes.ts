import { serveScriptPages } from '../../platform/http/script-page.ts'
import type { Server } from '../../platform/http/server.ts'
import { invitationPage, joinPage } from './invite-pages.ts'

export interface InviteRoutesNeeds {
  baseUrl: string
  frontendUrl: string
}

/** The pages that links and mails lead to, where this server is its own front end. */
export function serveInvitePages(server: Server, needs: InviteRoutesNeeds): void {
  serveScriptPages(server, needs, { '/join': joinPage(), '/invitation': invitationPage() })
}
