import type { Input, OperationId, SuccessBody } from '@atrium/client'
import { AtriumError } from '@atrium/client'
import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import { whenPersonGoes } from './of-person.ts'
import { client } from './office-client.ts'

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

/** What reads an operation: for `useQuery` and `useSuspenseQuery`. Its key is the operation and its input. */
export function reading<Id extends OperationId>(id: Id, input?: Input<Id>) {
  return queryOptions<SuccessBody<Id>>({
    queryKey: [id, input ?? {}],
    queryFn: async ({ signal }) => await client.call(id, ...([input, { signal }] as never)),
  })
}

type Page = { after?: string | null }
type PagedId = { [Id in OperationId]: SuccessBody<Id> extends Page ? Id : never }[OperationId]

/** What reads the pages of an operation, one after the other: for `useInfiniteQuery`. */
export function readingOn<Id extends PagedId>(id: Id, input: Input<Id>) {
  return infiniteQueryOptions({
    queryKey: [id, input, 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await client.call(
        id,
        ...([{ ...input, ...(pageParam !== undefined && { after: pageParam }) }, { signal }] as never),
      ),
    getNextPageParam: (last: SuccessBody<Id>) => (last as Page).after ?? undefined,
  })
}

/** What was read of an operation is no longer right, whatever its input was. */
export async function outdated(...ids: OperationId[]): Promise<void> {
  await Promise.all(ids.map((id) => queryClient.invalidateQueries({ queryKey: [id] })))
}
