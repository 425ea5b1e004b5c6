import type { ReactNode } from 'react'
import './outside.css'

/** The frame of screens without an office around them: signing in, links, the first run. */
export function Outside({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return (
    <div className={wide ? 'outside outside-wide' : 'outside'}>
      <div className="outside-mark" aria-hidden="true">
        <img src="/favicon.svg" alt="" width="36" height="36" />
        <span>Atrium</span>
      </div>
      <main className="outside-main">{children}</main>
    </div>
  )
}
