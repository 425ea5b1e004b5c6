import { createContext, type LiHTMLAttributes, type ReactNode, type Ref, useContext } from 'react'
import { classNames } from './class-names.ts'
import './list.css'

/** Rows below each other with lines between them. `label` names it where no heading does. */
export function List({ label, children }: { label?: string; children: ReactNode }) {
  return (
    // a list without marks is none to some screen readers, unless it says so
    // biome-ignore lint/a11y/noRedundantRoles: Safari forgets it
    <ul className="list" role="list" aria-label={label}>
      {children}
    </ul>
  )
}

/** Where a row stands in a list of which only a part is drawn. */
export interface RowPlace extends LiHTMLAttributes<HTMLLIElement> {
  ref: Ref<HTMLLIElement>
  'data-index': number
}

export const RowPlaceContext = createContext<RowPlace | undefined>(undefined)

export interface LongListProps<Row> {
  label: string
  rows: readonly Row[]
  keyOf(row: Row): string
  /** One `ListRow`. */
  children(row: Row): ReactNode
}

export interface ListRowProps {
  /** A picture before the text. */
  before?: ReactNode
  title: ReactNode
  about?: ReactNode
  /** Buttons after the text. */
  after?: ReactNode
  /** Less visible than the others. */
  faint?: boolean
}

export function ListRow({ before, title, about, after, faint }: ListRowProps) {
  return (
    <li className={classNames('list-row', faint && 'list-row-faint')} {...useContext(RowPlaceContext)}>
      {before}
      <div className="list-text">
        <span className="list-title">{title}</span>
        {about && (
          <span className="list-about" title={typeof about === 'string' ? about : undefined}>
            {about}
          </span>
        )}
      </div>
      {after && <div className="list-after">{after}</div>}
    </li>
  )
}
