let title = ''
let count = 0

/** What the tab is called: the screen, and before it how much waits for the person. */
export const pageTitle = {
  say(next: string): void {
    title = next
    write()
  },
  /** 0: nothing waits. The icon of an installed window counts as well. */
  count(next: number): void {
    if (next === count) return
    count = next
    write()
    if ('setAppBadge' in navigator)
      void (next > 0 ? navigator.setAppBadge(next) : navigator.clearAppBadge()).catch(() => {})
  },
}

function write(): void {
  document.title = `${count > 0 ? `(${count}) ` : ''}${title ? `${title} · ` : ''}Atrium`
}
