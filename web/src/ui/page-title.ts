let title = ''
const counts = new Map<string, number>()

/** What the tab is called: the screen, and before it how much waits for the person. */
export const pageTitle = {
  say(next: string): void {
    title = next
    write()
  },
  /** How many of a kind wait; 0: none. The icon of an installed window counts as well. */
  count(kind: 'knocks' | 'messages', next: number): void {
    if (next === (counts.get(kind) ?? 0)) return
    counts.set(kind, next)
    write()
    if ('setAppBadge' in navigator)
      void (waiting() > 0 ? navigator.setAppBadge(waiting()) : navigator.clearAppBadge()).catch(() => {})
  },
}

function waiting(): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0)
}

function write(): void {
  document.title = `${waiting() > 0 ? `(${waiting()}) ` : ''}${title ? `${title} · ` : ''}Atrium`
}
