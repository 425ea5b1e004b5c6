import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { pagePaths } from '../page-paths.ts'
import { lazyPart, patiently } from './live/page/patient-import.ts'
import { unsentQuestion } from './live/unsent.ts'
import { useStore } from './live/use-session.ts'
import { Broken } from './shell/outside/broken.tsx'
import { NotHere } from './shell/outside/not-here.tsx'
import { Waiting } from './shell/waiting.tsx'

/**
 * Every screen with its address (`../page-paths.ts`) and its chunk: one folder each. The screens of `inside` need a
 * session with an active organization; they share the frame and the connection.
 */

type Search = Record<string, string>

/** Signing out is offered outside the office too. */
const UnsentQuestion = lazyPart(() => import('./chat/unsent-question.tsx'), 'UnsentQuestion')

function Root() {
  const isAsking = useStore(unsentQuestion) !== undefined
  return (
    <>
      <Outlet />
      {isAsking && (
        <Suspense>
          <UnsentQuestion />
        </Suspense>
      )}
    </>
  )
}

const screen = <Screens extends Record<string, unknown>, Name extends keyof Screens>(
  load: () => Promise<Screens>,
  name: Name,
) => lazyRouteComponent(() => patiently(load), name)

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotHere,
  errorComponent: Broken,
  pendingComponent: Waiting,
  // addresses carry what links and providers say: text, and never more
  validateSearch: (given: Record<string, unknown>): Search =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
})
const inside = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  component: screen(() => import('./shell/shell.tsx'), 'Shell'),
})

const outer = { getParentRoute: () => rootRoute }
const inner = { getParentRoute: () => inside }

export const routeTree = rootRoute.addChildren([
  createRoute({
    ...outer,
    path: pagePaths.signIn,
    component: screen(() => import('./sign-in/sign-in-screen.tsx'), 'SignInScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.authComplete,
    component: screen(() => import('./sign-in/complete-screen.tsx'), 'CompleteScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.join,
    component: screen(() => import('./sign-in/join-screen.tsx'), 'JoinScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.invitation,
    component: screen(() => import('./sign-in/invitation-screen.tsx'), 'InvitationScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.recovery,
    component: screen(() => import('./sign-in/recovery-screen.tsx'), 'RecoveryScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.guest,
    component: screen(() => import('./guest/guest-screen.tsx'), 'GuestScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.firstRun,
    component: screen(() => import('./first-run/first-run-screen.tsx'), 'FirstRunScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.calendarComplete,
    component: screen(() => import('./calendar/calendar-complete-screen.tsx'), 'CalendarCompleteScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.signOnComplete,
    component: screen(() => import('./administration/sign-on-complete-screen.tsx'), 'SignOnCompleteScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.health,
    component: screen(() => import('./health/health-screen.tsx'), 'HealthScreen'),
  }),
  createRoute({
    ...outer,
    path: pagePaths.accessibility,
    component: screen(() => import('./accessibility/accessibility-screen.tsx'), 'AccessibilityScreen'),
  }),
  inside.addChildren([
    createRoute({
      ...inner,
      path: pagePaths.floor,
      component: screen(() => import('./floor/floor-screen.tsx'), 'FloorScreen'),
    }),
    createRoute({
      ...inner,
      path: pagePaths.room,
      component: screen(() => import('./room/room-screen.tsx'), 'RoomScreen'),
    }),
    createRoute({
      ...inner,
      path: pagePaths.recording,
      component: screen(() => import('./recordings/recording-screen.tsx'), 'RecordingScreen'),
    }),
    createRoute({
      ...inner,
      path: pagePaths.chat,
      component: screen(() => import('./chat/chat-screen.tsx'), 'ChatScreen'),
    }),
    createRoute({
      ...inner,
      path: pagePaths.conversation,
      component: screen(() => import('./chat/chat-screen.tsx'), 'ChatScreen'),
    }),
    createRoute({
      ...inner,
      path: pagePaths.calendar,
      component: screen(() => import('./calendar/calendar-screen.tsx'), 'CalendarScreen'),
    }),
    createRoute({
      ...inner,
      path: pagePaths.members,
      component: screen(() => import('./members/members-screen.tsx'), 'MembersScreen'),
    }),
    createRoute({
      ...inner,
      path: pagePaths.settings,
      component: screen(() => import('./settings/settings-screen.tsx'), 'SettingsScreen'),
    }),
    createRoute({
      ...inner,
      path: pagePaths.administration,
      component: screen(() => import('./administration/administration-screen.tsx'), 'AdministrationScreen'),
    }),
  ]),
])
