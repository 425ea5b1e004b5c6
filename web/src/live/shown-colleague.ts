import { createStore } from '@atrium/client/store'

/** The colleague whom a card, or the form of a knock, is open for. */
export interface ShownColleague {
  userId: string
  as: 'card' | 'knock'
  /** What was pressed: it stands beside it, and gets the focus back. */
  anchor: HTMLElement
}

const store = createStore<ShownColleague | undefined>(undefined)

/** The one colleague that is shown above the screen: from anywhere, also outside React. */
export const shownColleague = {
  get: store.get,
  subscribe: store.subscribe,
  show: store.set,
  /** Of another organization they are none. */
  forget: () => store.set(undefined),
  /** @param as only where it is still shown so: a card that makes way for a knock hears that it is closed */
  close(as: ShownColleague['as']): void {
    const before = store.get()
    if (before?.as !== as) return
    store.set(undefined)
    // a dialog gives the focus back to what opened it, which may have been another one that is gone
    setTimeout(() => {
      if (document.activeElement === document.body) before.anchor.focus()
    })
  },
}
