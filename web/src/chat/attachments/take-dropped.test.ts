import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refuseDropped } from '../../live/page/dropped-files.ts'
import { takeDropped } from './take-dropped.ts'

class Panel extends EventTarget {
  readonly dataset: DOMStringMap = {}
  contains(other: unknown) {
    return other === this
  }
}

const file = new File(['The plan'], 'plan.txt')
const dragged = (kind: string, types: string[], more = {}) =>
  Object.assign(new Event(kind, { cancelable: true }), {
    dataTransfer: { types, files: types.includes('Files') ? [file] : [], dropEffect: 'copy' },
    ...more,
  })

/** As a browser lets an event rise: the same one, panel after panel. */
function rise(event: Event, ...path: EventTarget[]): boolean {
  for (const target of path) target.dispatchEvent(event)
  return event.defaultPrevented
}

describe('files that are dropped', () => {
  const [thread, pane, page] = [new Panel(), new Panel(), new EventTarget()]
  const [inThread, inPane] = [vi.fn(), vi.fn()]
  const ends: (() => void)[] = []
  beforeEach(() => {
    for (const end of ends.splice(0)) end()
    inThread.mockReset()
    inPane.mockReset()
    ends.push(
      takeDropped(thread as unknown as HTMLElement, { label: 'Drop', take: inThread }),
      takeDropped(pane as unknown as HTMLElement, { label: 'Drop', take: inPane }),
      refuseDropped(page),
    )
  })

  it('are taken anywhere on a panel, which says so while they are above it', () => {
    expect(rise(dragged('dragover', ['Files']), pane, page)).toBe(true)
    expect(pane.dataset.drop).toBe('Drop')
    rise(dragged('dragleave', ['Files'], { relatedTarget: pane }), pane, page)
    expect(pane.dataset.drop).toBe('Drop')
    expect(rise(dragged('drop', ['Files']), pane, page)).toBe(true)
    expect(inPane).toHaveBeenCalledExactlyOnceWith([file])
    expect(pane.dataset.drop).toBeUndefined()
  })

  it('belong to the innermost panel alone', () => {
    rise(dragged('dragover', ['Files']), pane, page)
    rise(dragged('dragover', ['Files']), thread, pane, page)
    expect([thread.dataset.drop, pane.dataset.drop]).toEqual(['Drop', undefined])
    rise(dragged('drop', ['Files']), thread, pane, page)
    expect(inThread).toHaveBeenCalledOnce()
    expect(inPane).not.toHaveBeenCalled()
  })

  it('leave no mark where they are carried away', () => {
    rise(dragged('dragover', ['Files']), pane, page)
    rise(dragged('dragleave', ['Files'], { relatedTarget: null }), pane, page)
    expect(pane.dataset.drop).toBeUndefined()
  })

  it('are not opened in place of the page where nothing takes them', () => {
    for (const kind of ['dragover', 'drop']) {
      const event = dragged(kind, ['Files'])
      expect(rise(event, page)).toBe(true)
      expect(event.dataTransfer.dropEffect).toBe('none')
    }
  })

  it('a dragged text is left to the browser', () => {
    for (const kind of ['dragover', 'drop'])
      expect(rise(dragged(kind, ['text/plain']), thread, pane, page)).toBe(false)
    expect(pane.dataset.drop).toBeUndefined()
  })

  it('nothing is taken after the end', () => {
    for (const end of ends.splice(0)) end()
    expect(rise(dragged('drop', ['Files']), thread, pane, page)).toBe(false)
    expect(inPane).not.toHaveBeenCalled()
  })
})
