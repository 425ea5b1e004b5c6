import { serveMcp } from '../../../features/mcp/routes.ts'
import type { Opening, Part } from '../../part.ts'
import { visitorOf } from '../../requests/visitor.ts'
import type { Access } from '../access.ts'

/** The operations that programs may call, as tools of assistants. */
export function openMcp({ config }: Opening, { access }: { access: Access }): Part {
  return {
    needs: {},
    async routes(server) {
      await serveMcp(server, {
        bearers: access.bearers,
        origins: config.origins,
        enter(known, request, reply) {
          const { token, organization, bot } = known
          const visitor = visitorOf(config, request, reply)
          const caller = bot
            ? { ...visitor, bot: { tokenId: token.id }, ...bot }
            : { ...visitor, token, organization }
          return access.budgets.enter({}, caller)
        },
      })
    },
  }
}
