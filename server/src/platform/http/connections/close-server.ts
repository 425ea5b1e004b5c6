import type { Log } from '../../log.ts'
import type { Server } from '../server.ts'

/** Lets requests finish, for so long: one that hangs must not keep the office from closing. */
export async function closeServer(server: Server, withinMs: number, log: Pick<Log, 'warn'>): Promise<void> {
  const late = setTimeout(() => {
    log.warn('requests did not finish in time and are cut off')
    server.server.closeAllConnections()
  }, withinMs)
  await server.close()
  clearTimeout(late)
}
