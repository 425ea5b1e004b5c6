import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { List } from '../ui/list.tsx'
import { Loading } from '../ui/state.tsx'
import { Failed } from './failed.tsx'

export interface AnswerProps<Data> {
  /** Of an operation, as `useQuery(reading(…))` has it. */
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'refetch'>
  /** What is said while it is read, and where it cannot be. */
  words: { loading: string; failed: string }
  children(data: Data): ReactNode
}

/** What an operation has answered; until then that it is read, or could not be. What was read before stays. */
export function Answer<Data>({ query, words, children }: AnswerProps<Data>) {
  const { data, isError, refetch } = query
  return (
    <>
      {isError && <Failed title={words.failed} onAgain={refetch} />}
      {!data && !isError && <Loading label={words.loading} />}
      {data && children(data)}
    </>
  )
}

export interface AnswerListProps<Data, Row> extends Omit<AnswerProps<Data>, 'children'> {
  label: string
  /** What stands in place of a list without rows; left out where there always are some. */
  none?: string
  rows(data: Data): readonly Row[]
  /** One `ListRow`, with its key. */
  children(row: Row): ReactNode
}

/** The list that an operation has answered. */
export function AnswerList<Data, Row>(props: AnswerListProps<Data, Row>) {
  const { label, none, rows, children, ...answer } = props
  return (
    <Answer {...answer}>
      {(data) => {
        const found = rows(data)
        if (found.length === 0 && none) return <p className="soft">{none}</p>
        return <List label={label}>{found.map(children)}</List>
      }}
    </Answer>
  )
}
