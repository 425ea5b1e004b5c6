import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Goes where a notification leads that was pushed before this page was open, and is clicked now. */
export function usePlaceOfPush(): void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const namesOrganization = 'organization' in search
  useEffect(() => {
    // it has been switched to where the person is a member of it
    if (namesOrganization) void navigate({ href: pathname, replace: true })
  }, [navigate, namesOrganization, pathname])
  useEffect(() => {
    const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer }
    const show = ({ data }: MessageEvent<{ show?: unknown }>) => {
      if (typeof data.show === 'string' && data.show.startsWith('/')) void navigate({ href: data.show })
    }
    serviceWorker?.addEventListener('message', show)
    serviceWorker?.startMessages()
    return () => serviceWorker?.removeEventListener('message', show)
  }, [navigate])
}
