interface Sought {
  /** Of its card. */
  title: string
  label: string
}

/**
 * Gives the focus to a setting by what it is called on the page. As long as its card is being read, the title of the
 * card has it; a person who moves on is not called back. @returns ends the waiting
 */
export function leadTo(root: HTMLElement, { title, label }: Sought): () => void {
  const heading = [...root.querySelectorAll<HTMLElement>('h2')].find((one) => one.textContent === title)
  const card = heading?.closest<HTMLElement>('.card')
  if (!heading || !card) return () => {}
  focus(heading)
  const look = () => {
    const found = label === title ? heading : settingCalled(card, label)
    if (found) focus(found)
    if (found || document.activeElement !== heading) observer.disconnect()
  }
  const observer = new MutationObserver(look)
  observer.observe(card, { childList: true, subtree: true })
  look()
  return () => observer.disconnect()
}

const NAMED = 'label, button, input, h3, .select-label, .switch-text, .list-title'

function settingCalled(card: HTMLElement, label: string): HTMLElement | undefined {
  const named = [...card.querySelectorAll<HTMLElement>(NAMED)].find(
    (one) => one.getAttribute('aria-label') === label || ownText(one) === label,
  )
  return named && controlOf(named, card)
}

/** Of a switch the first line: its hint is below. */
function ownText(element: HTMLElement): string {
  const [first] = element.childNodes
  return (
    first?.nodeType === Node.TEXT_NODE && element.matches('.switch-text')
      ? (first.textContent ?? '')
      : (element.textContent ?? '')
  ).trim()
}

/** What is operated where a name stands; the name itself where it stands alone. */
function controlOf(named: HTMLElement, card: HTMLElement): HTMLElement {
  const label = named.closest('label')
  const labelled = named.id && card.querySelector<HTMLElement>(`[aria-labelledby~="${CSS.escape(named.id)}"]`)
  return (label?.control as HTMLElement | null | undefined) ?? (labelled || named)
}

function focus(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ focusVisible: true } as FocusOptions)
}
