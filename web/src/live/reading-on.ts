import type { Input, OperationId, SuccessBody } from '@atrium/client'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from './office-client.ts'

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

type CountedPage = { data: readonly unknown[]; page: { total: number } }
type CountedId = { [Id in OperationId]: SuccessBody<Id> extends CountedPage ? Id : never }[OperationId]

/** The same where a page is told by how many rows are before it. */
export function readingOnByCount<Id extends CountedId>(id: Id, input: Input<Id>) {
  return infiniteQueryOptions({
    queryKey: [id, input, 'pages'],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) =>
      await client.call(id, ...([{ ...input, offset: pageParam }, { signal }] as never)),
    getNextPageParam: (last: SuccessBody<Id>, pages: SuccessBody<Id>[]) => {
      const read = pages.reduce((count, one) => count + (one as CountedPage).data.length, 0)
      return read < (last as CountedPage).page.total ? read : undefined
    },
  })
}
