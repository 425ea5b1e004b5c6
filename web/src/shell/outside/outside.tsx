import { type ReactNode, Suspense } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { useMedia } from '../../ui/use-media.ts'
import { OutsideLinks } from './outside-links.tsx'
import './outside.css'

export interface OutsideProps {
  children: ReactNode
  wide?: boolean
  /** Drawn beside the form where the window has room for it; it says nothing to a screen reader. */
  view?: ReactNode
}

/** Beside a form of its full width a drawing is more than a strip. */
const HAS_ROOM = '(min-width: 60rem)'

/** The frame of screens without an office around them: signing in, links, the first run. */
export function Outside({ children, wide, view }: OutsideProps) {
  const isDrawn = useMedia(HAS_ROOM) && view !== undefined
  return (
    <div className={classNames('outside', wide && 'outside-wide', isDrawn && 'outside-drawn')}>
      <div className="outside-panel">
        <div className="outside-mark" aria-hidden="true">
          <img src="/favicon.svg" alt="" width="36" height="36" />
          <span>Atrium</span>
        </div>
        <main className="outside-main">{children}</main>
        <OutsideLinks />
      </div>
      {isDrawn && (
        <div className="outside-view" aria-hidden="true">
          <Suspense>{view}</Suspense>
        </div>
      )}
    </div>
  )
}
