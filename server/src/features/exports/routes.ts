import type { Server } from '../../platform/http/server.ts'
import { type DownloadGate, serveDownloads } from '../../platform/http/signed-downloads.ts'

/** Downloads of archives, where files are kept by the API itself. */
export function serveExportRoutes(server: Server, gate: DownloadGate | undefined): void {
  if (gate) serveDownloads(server, 'exports', gate)
}
