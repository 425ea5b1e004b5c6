import type { Input, OperationId, SuccessBody } from '@atrium/client'
import { AtriumError } from '@atrium/client'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { whenPersonGoes } from './of-person.ts'
import { client } from './office-client.ts'
import { whenGone } from './page/gone.ts'

/** Answers that no store keeps: lists that one screen shows. Events say which are no longer right (`follow-events.ts`). */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // a refusal is an answer; a lost connection may come back
      retry: (failures, error) => !(error instanceof AtriumError) && failures < 2,
    },
  },
})

whenPersonGoes(() => queryClient.clear())
whenGone(() => void queryClient.invalidateQueries())

/** What reads an operation: for `useQuery` and `useSuspenseQuery`. Its key is the operation and its input. */
export function reading<Id extends OperationId>(id: Id, input?: Input<Id>) {
  return queryOptions<SuccessBody<Id>>({
    queryKey: [id, input ?? {}],
    queryFn: async ({ signal }) => await client.call(id, ...([input, { signal }] as never)),
  })
}

/** What was read of an operation is no longer right, whatever its input was. */
export async function outdated(...ids: OperationId[]): Promise<void> {
  await Promise.all(ids.map((id) => queryClient.invalidateQueries({ queryKey: [id] })))
}
