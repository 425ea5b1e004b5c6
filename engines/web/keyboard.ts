import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** More than any screen has. */
const MOST = 200

/** What can be reached is reached by Tab, in the order in which it stands, with a name, and is seen to have the focus. */
export async function expectEverythingByKeyboard(page: Page): Promise<void> {
  const wanted = await page.evaluate(markFocusable)
  const reached: string[] = []
  for (let turn = 0; turn < MOST; turn += 1) {
    await page.keyboard.press('Tab')
    const mark = await page.evaluate(() => document.activeElement?.getAttribute('data-walk') ?? '')
    if (reached.includes(mark)) break
    // out of the page, and in again at its beginning
    if (mark === '') continue
    reached.push(mark)
    const [said = ''] = (await page.locator(':focus').ariaSnapshot()).split('\n')
    assert.match(said, /^- '?[\w ]+ "/, `a name of ${said || mark}`)
    assert.equal(await page.evaluate(isFocusSeen), true, `the focus is seen at ${said}`)
  }
  const inOrder = [...reached].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  // it begins where the screen put the focus
  assert.deepEqual(inOrder, wanted)
  const first = reached.indexOf(inOrder[0] ?? '')
  assert.deepEqual([...reached.slice(first), ...reached.slice(0, first)], inOrder)
}

/** Gives everything that can have the focus a mark: its place, and what it is. */
function markFocusable(): string[] {
  const selector = 'a[href], button, input, select, textarea, [tabindex]'
  const focusable = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled') &&
      !element.closest('[inert], [aria-hidden="true"]') &&
      element.checkVisibility({ visibilityProperty: true }),
  )
  return focusable.map((element, place) => {
    const mark = `${place} ${element.tagName.toLowerCase()} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`
    element.setAttribute('data-walk', mark)
    return mark
  })
}

function isFocusSeen(): boolean {
  // what a control hides stands for one that is drawn beside it
  for (let element = document.activeElement; element; element = element.parentElement) {
    const style = getComputedStyle(element)
    if (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0) return true
    if (element.matches('label, [role="group"], main, body')) break
  }
  return false
}
