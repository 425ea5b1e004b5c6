import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import './state.css'

/** In the place of something that is not there yet: what it would be, and what brings it. */
export function EmptyState({
  icon,
  title,
  children,
}: {
  icon: IconName
  title: string
  children?: ReactNode
}) {
  return (
    <div className="state">
      <Icon name={icon} size={28} />
      <p className="state-title">{title}</p>
      {children}
    </div>
  )
}

/** In the place of something that could not be read. */
export function ErrorState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state state-error" role="alert">
      <Icon name="warning" size={28} />
      <p className="state-title">{title}</p>
      {children}
    </div>
  )
}

/** A sentence about what has gone wrong, beside what was tried. Nothing where there is none. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="problem-place">
      {children ? <p className="problem">{children}</p> : null}
    </div>
  )
}

/** While something is read. It appears late: what is there at once needs no sign. */
export function Loading({ label }: { label: string }) {
  return (
    <div className="loading" role="status">
      <span className="loading-ring" aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </div>
  )
}
