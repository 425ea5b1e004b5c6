type Dragging = Pick<DragEvent, 'dataTransfer' | 'defaultPrevented'>

/** Whether it carries files that nothing has taken. A text that is dragged goes into fields, as ever. */
export function bringsFiles({ dataTransfer, defaultPrevented }: Dragging): boolean {
  return !defaultPrevented && dataTransfer?.types.includes('Files') === true
}

/** A file that is dropped where nothing takes it is not opened in place of the page. @returns ends that */
export function refuseDropped(page: EventTarget): () => void {
  const refuse = (event: Event) => {
    const { dataTransfer } = event as DragEvent
    if (!dataTransfer || !bringsFiles(event as DragEvent)) return
    event.preventDefault()
    dataTransfer.dropEffect = 'none'
  }
  const kinds = ['dragover', 'drop']
  for (const kind of kinds) page.addEventListener(kind, refuse)
  return () => {
    for (const kind of kinds) page.removeEventListener(kind, refuse)
  }
}
