import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routes.tsx'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // tokens stay as they are: the router would take `1e5` for a number
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(values) {
    const present = Object.entries(values).filter(([, value]) => value !== undefined)
    const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** Puts the focus into the field for messages. */
    toWrite?: boolean
    /** The message of a conversation to go to. */
    message?: number
    /** The message of a conversation that a thread began with, to show it. */
    thread?: number
  }
}
