import { callerOfToken } from '../../../access/bearers/token-caller.ts'
import { serveMcp } from '../../../features/mcp/routes.ts'
import { askerOf } from '../../../platform/http/request-record.ts'
import type { Opening, Part } from '../../part.ts'
import { payerOf } from '../../requests/held-loop.ts'
import { whoIs } from '../../requests/request-guard.ts'
import { visitorOf } from '../../requests/visitor.ts'
import type { Access } from '../access.ts'

/** The operations that programs may call, as tools of assistants. */
export function openMcp({ config }: Opening, { access }: { access: Access }): Part {
  return {
    needs: {},
    async routes(server) {
      await serveMcp(server, {
        bearers: access.bearers,
        callerOf(known, request, reply) {
          const caller = callerOfToken(known, visitorOf(config, request, reply))
          askerOf.write(request, whoIs(caller))
          payerOf.write(request, caller)
          return caller
        },
        enter: (caller) => access.budgets.enter({}, caller),
      })
    },
  }
}
