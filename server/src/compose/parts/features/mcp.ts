import type { KnownToken } from '../../../access/bearers/bearer-token-store.ts'
import type { BotCaller, TokenCaller, Visitor } from '../../../access/caller.ts'
import { serveMcp } from '../../../features/mcp/routes.ts'
import { askerOf } from '../../../platform/http/request-record.ts'
import type { Opening, Part } from '../../part.ts'
import { payerOf } from '../../requests/held-loop.ts'
import { whoIs } from '../../requests/request-guard.ts'
import { visitorOf } from '../../requests/visitor.ts'
import type { Access } from '../access.ts'

function callerOf({ token, organization, bot }: KnownToken, visitor: Visitor): TokenCaller | BotCaller {
  return bot ? { ...visitor, bot: { tokenId: token.id }, ...bot } : { ...visitor, token, organization }
}

/** The operations that programs may call, as tools of assistants. */
export function openMcp({ config }: Opening, { access }: { access: Access }): Part {
  return {
    needs: {},
    async routes(server) {
      await serveMcp(server, {
        bearers: access.bearers,
        note(known, request, reply) {
          const caller = callerOf(known, visitorOf(config, request, reply))
          askerOf.write(request, whoIs(caller))
          payerOf.write(request, caller)
        },
        enter: (known, request, reply) =>
          access.budgets.enter({}, callerOf(known, visitorOf(config, request, reply))),
      })
    },
  }
}
