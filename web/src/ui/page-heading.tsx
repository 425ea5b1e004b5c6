import { type ReactNode, useEffect, useRef } from 'react'
import { pageTitle } from './page-title.ts'
import './page-heading.css'

/**
 * The heading of a screen: it takes the focus when the screen is entered, so that a screen reader says where one is,
 * and names the tab.
 */
export function PageHeading({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // a screen that is there to be filled in has given it to its field
    if (!document.activeElement?.matches('input, textarea')) heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => pageTitle.say(title), [title])
  return (
    <header className="page-heading">
      <div className="page-heading-text">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about && <p className="soft">{about}</p>}
      </div>
      {children}
    </header>
  )
}
