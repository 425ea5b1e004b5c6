import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Waiting } from './waiting.tsx'

/** Goes to another page, once: what is shown until it is there may be rendered often. */
export function Go({ to, search = {} }: { to: NavigateOptions['to']; search?: Record<string, string> }) {
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    void navigate({ to, search, replace: true } as NavigateOptions)
  }, [])
  return <Waiting />
}
