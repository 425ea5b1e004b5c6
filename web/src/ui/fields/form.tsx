import type { ReactNode } from 'react'

interface FormProps {
  className?: string
  /** Instead of what a browser does with a form. */
  onSubmit(): unknown
  children: ReactNode
}

export function Form({ className, onSubmit, children }: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
