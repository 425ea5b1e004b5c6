import type { Socket } from 'node:net'
import { openMediaServer } from '../media-server.ts'
import type { MediaLimits, Order, Report } from '../messages.ts'
import { renewConsent } from '../ports/consent.ts'
import { handleHandshakesOnce } from '../ports/handshakes.ts'
import { restartWithClient } from '../ports/ice-restart.ts'
import { guardMediaPorts } from '../ports/media-ports.ts'
import { faultOf } from './faults.ts'

/**
 * The process of the embedded media server. Started by start-embedded-media.ts, it ends when its channel closes:
 * whoever started it has gone.
 */
const complain = (error: unknown) => {
  if (process.connected) process.send?.({ report: 'fault', fault: faultOf(error) } satisfies Report)
}
const limits = JSON.parse(process.argv[2] ?? '{}') as MediaLimits
guardMediaPorts()
renewConsent()
handleHandshakesOnce()
restartWithClient()
const server = openMediaServer({
  ...limits,
  report: (report: Report) => void process.send?.(report),
  onFault: complain,
})
process.on('message', (order: Order, socket: unknown) => server.obey(order, socket as Socket | undefined))
process.on('disconnect', () => process.exit(0))
// what a library throws outside of a call of ours belongs to one connection: the others go on
process.on('uncaughtException', complain)
process.on('unhandledRejection', complain)
process.send?.({ report: 'ready' } satisfies Report)
