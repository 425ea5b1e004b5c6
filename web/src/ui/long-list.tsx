import { Fragment, lazy, Suspense } from 'react'
import { List, type LongListProps } from './list.tsx'

/** So many are drawn as they are: most offices need no more. */
const DRAWN_AT_ONCE = 60

type Windowed = typeof import('./windowed-list.tsx').WindowedList
/** Loaded where a list is long: the first rows are there before it is. */
const WindowedList = lazy(async () => ({
  default: (await import('./windowed-list.tsx')).WindowedList,
})) as unknown as Windowed

/** As many rows as there are, of which those near the window are drawn. */
export function LongList<Row>(props: LongListProps<Row>) {
  if (props.rows.length <= DRAWN_AT_ONCE) return <DrawnList {...props} />
  return (
    <Suspense fallback={<DrawnList {...props} rows={props.rows.slice(0, DRAWN_AT_ONCE)} />}>
      <WindowedList {...props} />
    </Suspense>
  )
}

function DrawnList<Row>({ label, rows, keyOf, children }: LongListProps<Row>) {
  return (
    <List label={label}>
      {rows.map((row) => (
        <Fragment key={keyOf(row)}>{children(row)}</Fragment>
      ))}
    </List>
  )
}
