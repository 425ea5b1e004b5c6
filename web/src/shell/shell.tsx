import { organizationsOf } from '@atrium/client/session'
import { OfficeProvider, useOffice } from '@atrium/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Fragment, Suspense, useEffect } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { keepTables } from '../live/doors/kept-tables.ts'
// from the first screen on: it records why a person left the office, whenever that happens
import { ended } from '../live/ended.ts'
import { followEvents } from '../live/follow-events.ts'
import { client, officeAnswers, session } from '../live/office-client.ts'
import { useMembership } from '../live/permissions.ts'
import { keepShell } from '../live/push/worker.ts'
import { queryClient } from '../live/queries.ts'
import { shownColleague } from '../live/shown-colleague.ts'
import { useSession, useStore } from '../live/use-session.ts'
import { Toasts } from '../ui/overlays/toasts.tsx'
import { useShellWords } from '../words/shell.ts'
import { ConnectionState } from './connection-state.tsx'
import { Go } from './go.tsx'
import { Navigation } from './navigation.tsx'
import { Away } from './outside/away.tsx'
import { useUnsavedWarning } from './use-unsaved-warning.ts'
import { Waiting } from './waiting.tsx'
import './shell.css'
import { keepFocus } from '../live/page/keep-focus.ts'
import { lazyPart } from '../live/page/patient-import.ts'

/** Not needed to show anything: it comes after the first screen. */
const Knocks = lazyPart(() => import('./knocks.tsx'), 'Knocks')
const Attention = lazyPart(() => import('./attention.tsx'), 'Attention')
const GuestsAtDoor = lazyPart(() => import('./guests-at-door.tsx'), 'GuestsAtDoor')

/** Loaded where a push leads to another organization. */
const OtherOrganization = lazyPart(() => import('./outside/other-organization.tsx'), 'OtherOrganization')

/** Loaded when the first card is opened. */
const Colleague = lazyPart(() => import('./colleague/colleague-card.tsx'), 'Colleague')

/** The office around every screen of a member. Other visitors are sent to the way in. */
export function Shell() {
  const now = useSession()
  const answers = useStore(officeAnswers)
  const { href, search } = useLocation()
  if (now.state === 'unknown') return answers ? <Waiting /> : <Away />
  if (now.state === 'signed-out') {
    // after a sign-out of one's own the way back is the floor; after any other end, the same address
    const isBack = href === '/' || (ended.get()?.what ?? 'session') !== 'session'
    return <Go to={pagePaths.signIn} search={isBack ? {} : { next: href }} />
  }
  if (now.user.currentOrganizationId === '') return <Go to={pagePaths.firstRun} />
  const { organization } = search as { organization?: string }
  if (organization !== now.user.currentOrganizationId && isMemberOf(now.user, organization))
    return (
      <Suspense fallback={<Waiting />}>
        <OtherOrganization user={now.user} organizationId={organization} />
      </Suspense>
    )
  return (
    <QueryClientProvider client={queryClient}>
      <OfficeProvider client={client} session={session}>
        <Frame />
      </OfficeProvider>
    </QueryClientProvider>
  )
}

function isMemberOf(
  user: Parameters<typeof organizationsOf>[0],
  organization: string | undefined,
): organization is string {
  return organizationsOf(user).active.some(({ id }) => id === organization)
}

function Frame() {
  const words = useShellWords()
  const { present } = useStore(useOffice())
  const live = present?.live
  const colleague = useStore(shownColleague)
  const organizationId = useMembership()?.organization.id
  useEffect(() => live && followEvents(live), [live])
  useEffect(() => present && keepTables(present.rooms), [present])
  useEffect(keepShell, [])
  useUnsavedWarning()
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <Navigation />
      {/* what is open belongs to the organization that it was opened in: another tab may switch to another one */}
      <Fragment key={organizationId}>
        <div className="shell-content">
          <ConnectionState />
          <main ref={keepFocus} id="content" tabIndex={-1} className="shell-main">
            <Suspense fallback={<Waiting />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
        <Suspense>
          <Knocks />
          <Attention />
          <GuestsAtDoor />
        </Suspense>
        <Suspense>{colleague && <Colleague {...colleague} />}</Suspense>
      </Fragment>
      <Toasts label={words.notices} closeLabel={words.close} />
    </div>
  )
}
